// The decisions about the statements about a domain's environment.
// params: namespace, domain
// returns: key, reason
MATCH (n:EnvEntity {namespace: $namespace, domain: $domain})<-[:ABOUT]-(d:Decision)
RETURN d.key AS key, d.reason AS reason
ORDER BY key
