// Join steps to the tools that they called.
// params: namespace, rows
// returns: written
UNWIND $rows AS row
MATCH (step:Evidence {key: row.key, namespace: $namespace})
MATCH (tool:Tool {key: row.to, namespace: $namespace})
MERGE (step)-[:CALLED]->(tool)
RETURN count(*) AS written
