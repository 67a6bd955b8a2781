// Link skills to the version that they take the place of.
// params: namespace, rows
// returns: written
UNWIND $rows AS row
MATCH (s:Skill {key: row.key, namespace: $namespace})
MATCH (old:Skill {key: row.to, namespace: $namespace})
MERGE (s)-[:SUPERSEDES]->(old)
RETURN count(*) AS written
