// The policies that were induced from a pattern.
// params: namespace, key
// returns: key, title, status, how, steps
MATCH (:Pattern {key: $key, namespace: $namespace})<-[r:INDUCED_FROM]-(p:Policy)
RETURN p.key AS key, p.title AS title, p.status AS status, type(r) AS how, 0 AS steps
ORDER BY key
