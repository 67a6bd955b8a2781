// Keep an answer and the steps that it was made from, if all of them are still there and none is being forgotten.
// params: namespace, key, created_at, properties, evidence, count
// returns: edges
UNWIND $evidence AS wanted
MATCH (e:Evidence {key: wanted, namespace: $namespace})
MATCH (e)<-[:HAS_STEP]-(ep:Episode)
WHERE NOT coalesce(ep.is_forgotten, false)
WITH collect(e) AS steps
WHERE size(steps) = $count
MERGE (a:Answer {key: $key, namespace: $namespace})
ON CREATE SET a.created_at = $created_at
SET a += $properties
WITH a, steps
UNWIND steps AS e
MERGE (a)-[:ABOUT]->(e)
RETURN count(*) AS edges
