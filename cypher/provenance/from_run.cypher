// What runs of the pipeline made, by key, at most `limit` a kind.
// params: namespace, keys, limit
// returns: place, parent, label, key, total
MATCH (run:Run)<-[:WAS_GENERATED_BY]-(other)
WHERE run.key IN $keys AND run.namespace = $namespace
WITH DISTINCT run, other
WITH run.key AS parent, labels(other)[0] AS label, other.key AS key
ORDER BY key
WITH parent, label, collect(key) AS found
UNWIND range(0, CASE WHEN size(found) < $limit THEN size(found) ELSE $limit END - 1) AS place
RETURN place, parent, label, found[place] AS key, size(found) AS total
ORDER BY place, parent, label
