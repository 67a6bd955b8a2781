// The evidence of some policies that is worth something, for sign 1, or cost something, for -1: most similar first.
// params: namespace, policies, sign, limit
// returns: key, similarity
UNWIND $policies AS policy
MATCH (:Policy {key: policy, namespace: $namespace})<-[r:SUPPORTS|CONTRADICTS|BORDERS]-(e:Evidence)
WHERE $sign * e.value > 0
WITH e.key AS key, max(r.similarity) AS similarity
RETURN key, similarity
ORDER BY similarity DESC, key
LIMIT $limit
