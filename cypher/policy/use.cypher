// Let policies use tools of their procedures.
// params: namespace, rows
// returns: written
UNWIND $rows AS row
MATCH (p:Policy {key: row.key, namespace: $namespace})
MATCH (t:Tool {key: row.to, namespace: $namespace})
MERGE (p)-[:USES]->(t)
RETURN count(*) AS written
