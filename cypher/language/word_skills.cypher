// Give skills other words.
// params: namespace, rows
// returns: written
UNWIND $rows AS row
MATCH (s:Skill {key: row.key, namespace: $namespace})
SET s += row.properties
RETURN count(*) AS written
