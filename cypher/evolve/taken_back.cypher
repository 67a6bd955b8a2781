// Domains that something was learned in, and of whose inputs none is taken in any more.
// params: namespace
// returns: domain
MATCH (p:Pattern {namespace: $namespace})
WITH DISTINCT p.domain AS domain
OPTIONAL MATCH (e:Episode {namespace: $namespace, domain: domain})
WHERE e.is_learned
WITH domain, count(e) AS learned
WHERE learned = 0
RETURN domain
ORDER BY domain
