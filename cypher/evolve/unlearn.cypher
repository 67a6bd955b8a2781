// Mark all episodes of a domain as not yet taken in.
// params: namespace, domain
// returns: written
MATCH (e:Episode {namespace: $namespace, domain: $domain})
WHERE e.is_learned
SET e.is_learned = false
RETURN count(*) AS written
