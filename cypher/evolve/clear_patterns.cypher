// Delete some of a domain's patterns.
// params: namespace, domain, limit
// returns: written
MATCH (p:Pattern {namespace: $namespace, domain: $domain})
WITH p LIMIT $limit
DETACH DELETE p
RETURN count(*) AS written
