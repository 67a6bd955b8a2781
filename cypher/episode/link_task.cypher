// Join episodes to the task that they attempt.
// params: namespace, rows
// returns: written
UNWIND $rows AS row
MATCH (episode:Episode {key: row.key, namespace: $namespace})
MATCH (task:Task {key: row.to, namespace: $namespace})
MERGE (episode)-[:ATTEMPTS]->(task)
RETURN count(*) AS written
