// Delete some steps of an episode with all their edges, and return the tools that they called.
// params: namespace, key, limit
// returns: tools, written
MATCH (:Episode {key: $key, namespace: $namespace})-[:HAS_STEP]->(step:Evidence)
WITH step LIMIT $limit
OPTIONAL MATCH (step)-[:CALLED]->(tool:Tool)
WITH step, step.key AS key, tool.key AS tool
DETACH DELETE step
RETURN collect(DISTINCT tool) AS tools, count(DISTINCT key) AS written
