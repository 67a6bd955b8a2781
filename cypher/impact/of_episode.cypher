// The policies that the steps of an episode bear on, and how.
// params: namespace, key
// returns: key, title, status, how, steps
MATCH (:Episode {key: $key, namespace: $namespace})-[:HAS_STEP]->(e:Evidence)-[r:SUPPORTS|CONTRADICTS|BORDERS]->(p:Policy)
RETURN p.key AS key, p.title AS title, p.status AS status, type(r) AS how, count(DISTINCT e) AS steps
ORDER BY key, how
