// The episode, its task and the tool of steps.
// params: namespace, keys
// returns: key, episode, task, tool
MATCH (step:Evidence)
WHERE step.key IN $keys AND step.namespace = $namespace
OPTIONAL MATCH (episode:Episode)-[:HAS_STEP]->(step)
OPTIONAL MATCH (episode)-[:ATTEMPTS]->(task:Task)
OPTIONAL MATCH (step)-[:CALLED]->(tool:Tool)
RETURN step.key AS key, episode.key AS episode, task.key AS task, tool.key AS tool
ORDER BY key
