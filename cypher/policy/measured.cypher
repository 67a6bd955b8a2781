// What the policies measured on some tasks count there.
// params: namespace, tasks
// returns: task_key, policy, episodes, solved, total, offered, offered_solved, offered_total
UNWIND $tasks AS task
MATCH (p:Policy)-[m:MEASURED_ON]->(t:Task {key: task, namespace: $namespace})
RETURN t.task_key AS task_key, p.id AS policy, m.episodes AS episodes, m.solved AS solved, m.sum AS total,
       m.offered AS offered, m.offered_solved AS offered_solved, m.offered_sum AS offered_total
ORDER BY task_key, policy
