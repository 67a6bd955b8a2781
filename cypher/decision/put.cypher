// Create or update decisions.
// params: namespace, rows
// returns: written
UNWIND $rows AS row
MERGE (d:Decision {key: row.key, namespace: $namespace})
ON CREATE SET d.created_at = row.created_at
SET d += row.properties
RETURN count(*) AS written
