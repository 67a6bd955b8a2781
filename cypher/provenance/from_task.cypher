// The episodes that attempted tasks, newest first, at most `limit` a task.
// params: namespace, keys, limit
// returns: place, parent, label, key, total
MATCH (task:Task)<-[:ATTEMPTS]-(other:Episode)
WHERE task.key IN $keys AND task.namespace = $namespace
WITH DISTINCT task, other
WITH task.key AS parent, labels(other)[0] AS label, other.key AS key, coalesce(other.sequence, 0) AS sequence
ORDER BY sequence DESC, key
WITH parent, label, collect(key) AS found
UNWIND range(0, CASE WHEN size(found) < $limit THEN size(found) ELSE $limit END - 1) AS place
RETURN place, parent, label, found[place] AS key, size(found) AS total
ORDER BY place, parent, label
