// Write a reported use of a skill, for the fold to take in.
// params: namespace, rows
// returns: written
UNWIND $rows AS row
MATCH (s:Skill {key: row.to, namespace: $namespace})
MERGE (t:Trial {key: row.key, namespace: $namespace})
ON CREATE SET t.created_at = row.created_at
SET t += row.properties
MERGE (t)-[:OF]->(s)
RETURN count(*) AS written
