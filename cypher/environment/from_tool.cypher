// Link dependencies to the tool that depends.
// params: namespace, rows
// returns: written
UNWIND $rows AS row
MATCH (n:EnvEntity {key: row.key, namespace: $namespace})
MATCH (other:Tool {key: row.to, namespace: $namespace})
MERGE (n)-[:FROM_TOOL]->(other)
RETURN count(*) AS written
