// Link constraints to the policies that they constrain.
// params: namespace, rows
// returns: written
UNWIND $rows AS row
MATCH (n:EnvEntity {key: row.key, namespace: $namespace})
MATCH (other:Policy {key: row.to, namespace: $namespace})
MERGE (n)-[:CONSTRAINS]->(other)
RETURN count(*) AS written
