// Link statements to the policies that they were abstracted from.
// params: namespace, rows
// returns: written
UNWIND $rows AS row
MATCH (n:EnvEntity {key: row.key, namespace: $namespace})
MATCH (other:Policy {key: row.to, namespace: $namespace})
MERGE (n)-[:ABSTRACTED_FROM]->(other)
RETURN count(*) AS written
