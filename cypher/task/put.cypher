// Create tasks; one that is there stays as it was first told.
// params: namespace, rows
// returns: written
UNWIND $rows AS row
MERGE (n:Task {key: row.key, namespace: $namespace})
ON CREATE SET n += row.properties, n.created_at = row.created_at
RETURN count(*) AS written
