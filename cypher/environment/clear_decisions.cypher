// Delete some of the decisions about the statements about a domain's environment.
// params: namespace, domain, limit
// returns: written
MATCH (n:EnvEntity {namespace: $namespace, domain: $domain})<-[:ABOUT]-(d:Decision)
WITH d LIMIT $limit
DETACH DELETE d
RETURN count(*) AS written
