// Part an episode from every task but the one that it attempts now.
// params: namespace, key, task
// returns: task
MATCH (:Episode {key: $key, namespace: $namespace})-[attempt:ATTEMPTS]->(task:Task)
WHERE task.key <> $task
DELETE attempt
RETURN task.key AS task
ORDER BY task
