// Write the uses of skills that episodes show, each with its place among the inputs.
// params: namespace, rows
// returns: written
UNWIND $rows AS row
MATCH (s:Skill {key: row.skill, namespace: $namespace})
MATCH (e:Episode {key: row.to, namespace: $namespace})
MERGE (t:Trial {key: row.key, namespace: $namespace})
ON CREATE SET t.created_at = row.created_at
SET t += row.properties, t.occurred_at = e.ended_at
MERGE (t)-[:OF]->(s)
MERGE (t)-[:IN]->(e)
RETURN count(*) AS written
