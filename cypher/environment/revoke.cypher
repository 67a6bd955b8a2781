// Delete decisions about statements.
// params: namespace, rows
// returns: written
UNWIND $rows AS row
MATCH (d:Decision {key: row.key, namespace: $namespace})
DETACH DELETE d
RETURN count(*) AS written
