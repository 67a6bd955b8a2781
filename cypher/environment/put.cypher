// Create or update statements about an environment.
// params: namespace, rows
// returns: written
UNWIND $rows AS row
MERGE (n:EnvEntity {key: row.key, namespace: $namespace})
ON CREATE SET n.created_at = row.created_at
SET n += row.properties
RETURN count(*) AS written
