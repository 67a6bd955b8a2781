// The statements about a domain's environment as they are stored.
// params: namespace, domain
// returns: key, support, confidence, status, embedding
MATCH (n:EnvEntity {namespace: $namespace, domain: $domain})
RETURN n.key AS key, n.support AS support, n.confidence AS confidence, n.status AS status, n.embedding AS embedding
ORDER BY key
