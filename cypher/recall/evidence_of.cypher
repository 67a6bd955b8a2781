// The evidence of some policies that is worth something, for sign 1, or cost something, for -1: most similar first.
// params: namespace, policies, sign, limit
// returns: key, value, at
UNWIND $policies AS policy
MATCH (:Policy {key: policy, namespace: $namespace})<-[r:SUPPORTS|CONTRADICTS|BORDERS]-(e:Evidence)
WHERE $sign * e.value > 0
WITH e, max(r.similarity) AS similarity
ORDER BY similarity DESC, e.key
LIMIT $limit
MATCH (e)<-[:HAS_STEP]-(ep:Episode)
WITH e, similarity, coalesce(e.occurred_at, ep.ended_at, e.created_at) AS time
RETURN e.key AS key, e.value AS value, 1000000 * time.epochSeconds + time.microsecond AS at
ORDER BY similarity DESC, key
