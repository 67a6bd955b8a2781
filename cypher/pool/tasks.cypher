// The tallies of some tasks.
// params: namespace, tasks
// returns: task_key, episodes, total, squares, solved
UNWIND $tasks AS task
MATCH (t:Task {key: task, namespace: $namespace})
WHERE t.episodes > 0
RETURN t.task_key AS task_key, t.episodes AS episodes, t.total AS total, t.squares AS squares, t.solved AS solved
ORDER BY task_key
