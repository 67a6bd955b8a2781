// Delete some of the statements about a domain's environment.
// params: namespace, domain, limit
// returns: written
MATCH (n:EnvEntity {namespace: $namespace, domain: $domain})
WITH n LIMIT $limit
DETACH DELETE n
RETURN count(*) AS written
