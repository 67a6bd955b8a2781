// Create or update runs of the pipeline.
// params: namespace, rows
// returns: written
UNWIND $rows AS row
MERGE (r:Run {key: row.key, namespace: $namespace})
ON CREATE SET r.created_at = row.created_at
SET r += row.properties
RETURN count(*) AS written
