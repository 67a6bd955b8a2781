// Link skills to the tools that they need.
// params: namespace, rows
// returns: written
UNWIND $rows AS row
MATCH (s:Skill {key: row.key, namespace: $namespace})
MATCH (t:Tool {key: row.to, namespace: $namespace})
MERGE (s)-[:REQUIRES]->(t)
RETURN count(*) AS written
