// Create or update patterns.
// params: namespace, rows
// returns: written
UNWIND $rows AS row
MERGE (p:Pattern {key: row.key, namespace: $namespace})
ON CREATE SET p.created_at = row.created_at
SET p += row.properties
RETURN count(*) AS written
