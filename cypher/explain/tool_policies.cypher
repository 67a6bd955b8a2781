// The policies whose procedures use a tool.
// params: namespace, key
// returns: key, title, stance, status
MATCH (p:Policy)-[:USES]->(:Tool {key: $key, namespace: $namespace})
RETURN p.key AS key, p.title AS title, p.stance AS stance, p.status AS status
ORDER BY status, key
