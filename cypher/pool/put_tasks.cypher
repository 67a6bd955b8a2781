// Keep the tallies of tasks.
// params: namespace, rows
// returns: written
UNWIND $rows AS row
MATCH (t:Task {key: row.key, namespace: $namespace})
SET t.episodes = row.episodes, t.total = row.total, t.squares = row.squares, t.solved = row.solved
RETURN count(*) AS written
