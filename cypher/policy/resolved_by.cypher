// The tools that worked right after steps of some policies had failed, in episodes that were solved.
// params: namespace, policies
// returns: policy, tool, episodes
UNWIND $policies AS policy
MATCH (p:Policy {key: policy, namespace: $namespace})<-[:SUPPORTS|CONTRADICTS|BORDERS]-(e:Evidence)-[:NEXT]->(next:Evidence)
WHERE e.is_error AND NOT next.is_error AND next.tool IS NOT NULL AND next.tool <> p.tool
  AND next.turn > e.turn
MATCH (episode:Episode)-[:HAS_STEP]->(e)
WHERE episode.solved
WITH p.id AS policy, next.tool AS tool, count(DISTINCT episode) AS episodes
RETURN policy, tool, episodes
ORDER BY policy, episodes DESC, tool
