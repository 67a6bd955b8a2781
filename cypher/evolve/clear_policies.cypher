// Delete some of a domain's policies.
// params: namespace, domain, limit
// returns: written
MATCH (p:Policy {namespace: $namespace, domain: $domain})
WITH p LIMIT $limit
DETACH DELETE p
RETURN count(*) AS written
