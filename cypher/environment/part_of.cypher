// Link what is a part to its whole.
// params: namespace, rows
// returns: written
UNWIND $rows AS row
MATCH (n:EnvEntity {key: row.key, namespace: $namespace})
MATCH (other:EnvEntity {key: row.to, namespace: $namespace})
MERGE (n)-[:PART_OF]->(other)
RETURN count(*) AS written
