// The tools that an episode's steps call.
// params: namespace, key
// returns: tool
MATCH (:Episode {key: $key, namespace: $namespace})-[:HAS_STEP]->(:Evidence)-[:CALLED]->(tool:Tool)
RETURN DISTINCT tool.key AS tool
ORDER BY tool
