// Add conditions that people named to the boundaries of skills.
// params: namespace, rows
// returns: written
UNWIND $rows AS row
MATCH (s:Skill {key: row.key, namespace: $namespace})
SET s.boundary = s.boundary + ' ' + row.sentence
RETURN count(*) AS written
