// The policies whose gain is measured on a task.
// params: namespace, key
// returns: key, title, status, how, steps
MATCH (:Task {key: $key, namespace: $namespace})<-[r:MEASURED_ON]-(p:Policy)
RETURN p.key AS key, p.title AS title, p.status AS status, type(r) AS how, 0 AS steps
ORDER BY key
