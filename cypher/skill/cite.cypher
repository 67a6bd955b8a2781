// Anchor skills in the evidence that they cite, as example or counterexample.
// params: namespace, rows
// returns: written
UNWIND $rows AS row
MATCH (s:Skill {key: row.key, namespace: $namespace})
MATCH (e:Evidence {key: row.to, namespace: $namespace})
MERGE (s)-[c:CITES]->(e)
SET c.role = row.role, c.is_shown = row.is_shown
RETURN count(*) AS written
