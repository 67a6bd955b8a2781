// Link dependencies to the tool that is depended on.
// params: namespace, rows
// returns: written
UNWIND $rows AS row
MATCH (n:EnvEntity {key: row.key, namespace: $namespace})
MATCH (other:Tool {key: row.to, namespace: $namespace})
MERGE (n)-[:TO_TOOL]->(other)
RETURN count(*) AS written
