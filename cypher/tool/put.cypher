// Create tools; one that is there is not written again, so that writers do not wait for each other.
// params: namespace, rows
// returns: written
UNWIND $rows AS row
MERGE (n:Tool {key: row.key, namespace: $namespace})
ON CREATE SET n += row.properties, n.created_at = row.created_at
RETURN count(*) AS written
