// Link skills to the run that published them.
// params: namespace, rows
// returns: written
UNWIND $rows AS row
MATCH (s:Skill {key: row.key, namespace: $namespace})
MATCH (r:Run {key: row.to, namespace: $namespace})
MERGE (s)-[:WAS_GENERATED_BY]->(r)
RETURN count(*) AS written
