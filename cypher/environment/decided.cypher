// Link decisions to the statements they are about.
// params: namespace, rows
// returns: written
UNWIND $rows AS row
MATCH (d:Decision {key: row.key, namespace: $namespace})
MATCH (n:EnvEntity {key: row.to, namespace: $namespace})
MERGE (d)-[:ABOUT]->(n)
RETURN count(*) AS written
