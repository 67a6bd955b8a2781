// Link statements to those that they depend on.
// params: namespace, rows
// returns: written
UNWIND $rows AS row
MATCH (n:EnvEntity {key: row.key, namespace: $namespace})
MATCH (other:EnvEntity {key: row.to, namespace: $namespace})
MERGE (n)-[:DEPENDS_ON]->(other)
RETURN count(*) AS written
