// The evidence of policies, for and against: cited first, then of the largest value, at most `limit` a policy.
// params: namespace, keys, limit
// returns: place, parent, label, key, total
MATCH (policy:Policy)<-[:SUPPORTS|CONTRADICTS|BORDERS]-(other:Evidence)
WHERE policy.key IN $keys AND policy.namespace = $namespace
WITH DISTINCT policy, other
WITH policy.key AS parent, labels(other)[0] AS label, other.key AS key,
  EXISTS { (other)<-[:CITES]-(:Skill) } AS is_cited, abs(coalesce(other.value, 0.0)) AS strength
ORDER BY is_cited DESC, strength DESC, key
WITH parent, label, collect(key) AS found
UNWIND range(0, CASE WHEN size(found) < $limit THEN size(found) ELSE $limit END - 1) AS place
RETURN place, parent, label, found[place] AS key, size(found) AS total
ORDER BY place, parent, label
