// The policies whose procedures use a tool.
// params: namespace, key
// returns: key, title, status, how, steps
MATCH (:Tool {key: $key, namespace: $namespace})<-[r:USES]-(p:Policy)
RETURN p.key AS key, p.title AS title, p.status AS status, type(r) AS how, 0 AS steps
ORDER BY key
