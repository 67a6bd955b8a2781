// The statements about the environment that were abstracted from some policies.
// params: namespace, keys
// returns: key, title, status, how
UNWIND $keys AS wanted
MATCH (:Policy {key: wanted, namespace: $namespace})<-[r:ABSTRACTED_FROM]-(n:EnvEntity)
RETURN DISTINCT n.key AS key, n.statement AS title, n.status AS status, type(r) AS how
ORDER BY key
