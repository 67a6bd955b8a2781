// The steps of episodes, first to last, at most `limit` an episode.
// params: namespace, keys, limit
// returns: place, parent, label, key, total
MATCH (episode:Episode)-[:HAS_STEP]->(other:Evidence)
WHERE episode.key IN $keys AND episode.namespace = $namespace
WITH DISTINCT episode, other
WITH episode.key AS parent, labels(other)[0] AS label, other.key AS key, other.index AS index
ORDER BY index, key
WITH parent, label, collect(key) AS found
UNWIND range(0, CASE WHEN size(found) < $limit THEN size(found) ELSE $limit END - 1) AS place
RETURN place, parent, label, found[place] AS key, size(found) AS total
ORDER BY place, parent, label
