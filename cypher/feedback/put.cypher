// Create or update feedback.
// params: namespace, rows
// returns: written
UNWIND $rows AS row
MERGE (f:Feedback {key: row.key, namespace: $namespace})
ON CREATE SET f.created_at = row.created_at
SET f += row.properties
RETURN count(*) AS written
