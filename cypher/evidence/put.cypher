// Create steps or replace their properties in place; edges and the time of creation stay.
// params: namespace, rows
// returns: written
UNWIND $rows AS row
MERGE (n:Evidence {key: row.key, namespace: $namespace})
ON CREATE SET n.created_at = row.created_at
SET n += row.properties
RETURN count(*) AS written
