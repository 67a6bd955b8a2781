// Link statements to the run that changed them.
// params: namespace, rows
// returns: written
UNWIND $rows AS row
MATCH (n:EnvEntity {key: row.key, namespace: $namespace})
MATCH (r:Run {key: row.to, namespace: $namespace})
MERGE (n)-[:WAS_GENERATED_BY]->(r)
RETURN count(*) AS written
