// The earlier steps that arguments of steps came from, by key, at most `limit` a step.
// params: namespace, keys, limit
// returns: place, parent, label, key, total
MATCH (step:Evidence)-[:DERIVES_FROM]->(other:Evidence)
WHERE step.key IN $keys AND step.namespace = $namespace
WITH DISTINCT step, other
WITH step.key AS parent, labels(other)[0] AS label, other.key AS key
ORDER BY key
WITH parent, label, collect(key) AS found
UNWIND range(0, CASE WHEN size(found) < $limit THEN size(found) ELSE $limit END - 1) AS place
RETURN place, parent, label, found[place] AS key, size(found) AS total
ORDER BY place, parent, label
