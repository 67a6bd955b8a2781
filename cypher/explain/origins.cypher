// The earlier steps that a step's arguments came from.
// params: namespace, key
// returns: argument, path, key, tool
MATCH (:Evidence {key: $key, namespace: $namespace})-[r:DERIVES_FROM]->(source:Evidence)
RETURN r.argument AS argument, r.path AS path, source.key AS key, source.tool AS tool
ORDER BY argument, key, path
