// The statements about environments, of one domain, kind or status where one is given, by falling support.
// params: namespace, domain, kind, status
// returns: namespace, id, created_at, kind, name, statement, domain, confidence, support, status
MATCH (n:EnvEntity {namespace: $namespace})
WHERE ($domain IS NULL OR n.domain = $domain) AND ($kind IS NULL OR n.kind = $kind)
  AND ($status IS NULL OR n.status = $status)
RETURN n.namespace AS namespace, n.id AS id, n.created_at AS created_at, n.kind AS kind, n.name AS name,
       n.statement AS statement, n.domain AS domain, n.confidence AS confidence, n.support AS support,
       n.status AS status
ORDER BY domain, status, kind, support DESC, statement
