// Create or update policies.
// params: namespace, rows
// returns: written
UNWIND $rows AS row
MERGE (p:Policy {key: row.key, namespace: $namespace})
ON CREATE SET p.created_at = row.created_at
SET p += row.properties
RETURN count(*) AS written
