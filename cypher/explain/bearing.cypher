// The policies that the steps of an episode bear on, with the number of steps for, against and neutral.
// params: namespace, key
// returns: key, title, stance, status, supports, contradicts, borders
MATCH (:Episode {key: $key, namespace: $namespace})-[:HAS_STEP]->(:Evidence)-[r:SUPPORTS|CONTRADICTS|BORDERS]->(p:Policy)
RETURN p.key AS key, p.title AS title, p.stance AS stance, p.status AS status,
       sum(CASE WHEN type(r) = 'SUPPORTS' THEN 1 ELSE 0 END) AS supports,
       sum(CASE WHEN type(r) = 'CONTRADICTS' THEN 1 ELSE 0 END) AS contradicts,
       sum(CASE WHEN type(r) = 'BORDERS' THEN 1 ELSE 0 END) AS borders
ORDER BY key
