// The most recent episodes with evidence of some policies, of each policy at most so many.
// params: namespace, policies, limit
// returns: policy, episode
UNWIND $policies AS policy
MATCH (p:Policy {key: policy, namespace: $namespace})
MATCH (p)<-[:SUPPORTS|CONTRADICTS|BORDERS]-(:Evidence)<-[:HAS_STEP]-(ep:Episode)
WITH DISTINCT p.id AS policy, ep.sequence AS sequence, ep.key AS episode
ORDER BY policy, sequence DESC
WITH policy, collect(episode)[0..$limit] AS episodes
UNWIND episodes AS episode
RETURN policy, episode
ORDER BY policy, episode
