// Delete statements about an environment, with their edges.
// params: namespace, rows
// returns: written
UNWIND $rows AS row
MATCH (n:EnvEntity {key: row.key, namespace: $namespace})
DETACH DELETE n
RETURN count(*) AS written
