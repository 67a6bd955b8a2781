// The policies that a step bears on, and the pattern in whose pool it waits.
// params: namespace, key
// returns: relation, key, title, stance, status, similarity
MATCH (:Evidence {key: $key, namespace: $namespace})-[r:SUPPORTS|CONTRADICTS|BORDERS|CANDIDATE_FOR]->(home)
RETURN type(r) AS relation, home.key AS key, home.title AS title, home.stance AS stance, home.status AS status,
       r.similarity AS similarity
ORDER BY relation, key
