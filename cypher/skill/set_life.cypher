// Set what the fold moves of skills: their status, and the trials it rests on.
// params: namespace, rows
// returns: written
UNWIND $rows AS row
MATCH (s:Skill {key: row.key, namespace: $namespace})
SET s += row.properties
RETURN count(*) AS written
