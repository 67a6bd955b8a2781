// How many episodes that support a policy were scored by nobody: their outcome was inferred from words.
// params: namespace, key
// returns: inferred, episodes
MATCH (p:Policy {key: $key, namespace: $namespace})
OPTIONAL MATCH (p)<-[:SUPPORTS]-(:Evidence)<-[:HAS_STEP]-(e:Episode)
WITH DISTINCT e
RETURN count(CASE WHEN e.reward_basis = 'inferred' THEN 1 END) AS inferred, count(e) AS episodes
