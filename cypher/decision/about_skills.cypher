// Link decisions to the skills they are about.
// params: namespace, rows
// returns: written
UNWIND $rows AS row
MATCH (d:Decision {key: row.key, namespace: $namespace})
MATCH (s:Skill {key: row.to, namespace: $namespace})
MERGE (d)-[:ABOUT]->(s)
RETURN count(*) AS written
