// Give policies other words.
// params: namespace, rows
// returns: written
UNWIND $rows AS row
MATCH (p:Policy {key: row.key, namespace: $namespace})
SET p += row.properties
RETURN count(*) AS written
