// Link feedback to the skills that it is about.
// params: namespace, rows
// returns: written
UNWIND $rows AS row
MATCH (f:Feedback {key: row.key, namespace: $namespace})
MATCH (n:Skill {key: row.to, namespace: $namespace})
MERGE (f)-[:ABOUT]->(n)
RETURN count(*) AS written
