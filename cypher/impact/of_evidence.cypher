// The policies that a step bears on, and how.
// params: namespace, key
// returns: key, title, status, how, steps
MATCH (e:Evidence {key: $key, namespace: $namespace})-[r:SUPPORTS|CONTRADICTS|BORDERS]->(p:Policy)
RETURN p.key AS key, p.title AS title, p.status AS status, type(r) AS how, count(DISTINCT e) AS steps
ORDER BY key, how
