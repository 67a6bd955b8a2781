// The policies induced from patterns and the steps that wait there: cited first, then of the largest value.
// params: namespace, keys, limit
// returns: place, parent, label, key, total
MATCH (pattern:Pattern)<-[:INDUCED_FROM|CANDIDATE_FOR]-(other)
WHERE pattern.key IN $keys AND pattern.namespace = $namespace
WITH DISTINCT pattern, other
WITH pattern.key AS parent, labels(other)[0] AS label, other.key AS key,
  EXISTS { (other)<-[:CITES]-(:Skill) } AS is_cited, abs(coalesce(other.value, 0.0)) AS strength
ORDER BY is_cited DESC, strength DESC, key
WITH parent, label, collect(key) AS found
UNWIND range(0, CASE WHEN size(found) < $limit THEN size(found) ELSE $limit END - 1) AS place
RETURN place, parent, label, found[place] AS key, size(found) AS total
ORDER BY place, parent, label
