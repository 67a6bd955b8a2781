// One statement about an environment by its key.
// params: namespace, key
// returns: namespace, id, created_at, kind, name, statement, domain, confidence, support, status
MATCH (n:EnvEntity {key: $key, namespace: $namespace})
RETURN n.namespace AS namespace, n.id AS id, n.created_at AS created_at, n.kind AS kind, n.name AS name,
       n.statement AS statement, n.domain AS domain, n.confidence AS confidence, n.support AS support,
       n.status AS status
