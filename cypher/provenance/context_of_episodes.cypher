// The tasks that episodes attempted.
// params: namespace, keys
// returns: key, task
MATCH (episode:Episode)-[:ATTEMPTS]->(task:Task)
WHERE episode.key IN $keys AND episode.namespace = $namespace
RETURN episode.key AS key, task.key AS task
ORDER BY key, task
