// The skill and the episode of trials.
// params: namespace, keys, limit
// returns: place, parent, label, key, total
MATCH (trial:Trial)-[:OF|IN]->(other)
WHERE trial.key IN $keys AND trial.namespace = $namespace
WITH DISTINCT trial, other
WITH trial.key AS parent, labels(other)[0] AS label, other.key AS key
ORDER BY key
WITH parent, label, collect(key) AS found
UNWIND range(0, CASE WHEN size(found) < $limit THEN size(found) ELSE $limit END - 1) AS place
RETURN place, parent, label, found[place] AS key, size(found) AS total
ORDER BY place, parent, label
