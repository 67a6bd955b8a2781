// How many episodes support both policies of each pair.
// params: namespace, pairs
// returns: shorter, longer, episodes
UNWIND $pairs AS pair
MATCH (:Policy {key: pair.shorter, namespace: $namespace})<-[:SUPPORTS]-(:Evidence)<-[:HAS_STEP]-(episode:Episode)
MATCH (episode)-[:HAS_STEP]->(:Evidence)-[:SUPPORTS]->(:Policy {key: pair.longer, namespace: $namespace})
RETURN pair.shorter AS shorter, pair.longer AS longer, count(DISTINCT episode) AS episodes
ORDER BY shorter, longer
