// Keep what policies count on tasks.
// params: namespace, rows
// returns: written
UNWIND $rows AS row
MATCH (p:Policy {key: row.key, namespace: $namespace})
MATCH (t:Task {key: row.to, namespace: $namespace})
MERGE (p)-[m:MEASURED_ON]->(t)
SET m.episodes = row.episodes, m.solved = row.solved, m.sum = row.sum, m.offered = row.offered,
    m.offered_solved = row.offered_solved, m.offered_sum = row.offered_sum
RETURN count(*) AS written
