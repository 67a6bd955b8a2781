// What statements about an environment rest on, by key, at most `limit` a kind.
// params: namespace, keys, limit
// returns: place, parent, label, key, total
MATCH (entity:EnvEntity)-[:ABSTRACTED_FROM|FROM_TOOL|TO_TOOL|CONSTRAINS|PART_OF|DEPENDS_ON|WAS_GENERATED_BY]->(other)
WHERE entity.key IN $keys AND entity.namespace = $namespace
WITH DISTINCT entity, other
WITH entity.key AS parent, labels(other)[0] AS label, other.key AS key
ORDER BY key
WITH parent, label, collect(key) AS found
UNWIND range(0, CASE WHEN size(found) < $limit THEN size(found) ELSE $limit END - 1) AS place
RETURN place, parent, label, found[place] AS key, size(found) AS total
ORDER BY place, parent, label
