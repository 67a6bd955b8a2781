// What skills rest on: policies, cited steps, tools, runs, earlier versions; strongest first, at most `limit` a kind.
// params: namespace, keys, limit
// returns: place, parent, label, key, total
MATCH (skill:Skill)-[:CRYSTALLIZED_FROM|CITES|REQUIRES|RESPECTS|SUPERSEDES|WAS_GENERATED_BY]->(other)
WHERE skill.key IN $keys AND skill.namespace = $namespace
WITH DISTINCT skill, other
WITH skill.key AS parent, labels(other)[0] AS label, other.key AS key,
  abs(coalesce(other.value, 0.0)) AS strength
ORDER BY strength DESC, key
WITH parent, label, collect(key) AS found
UNWIND range(0, CASE WHEN size(found) < $limit THEN size(found) ELSE $limit END - 1) AS place
RETURN place, parent, label, found[place] AS key, size(found) AS total
ORDER BY place, parent, label
