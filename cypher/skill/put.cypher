// Create or update skills.
// params: namespace, rows
// returns: written
UNWIND $rows AS row
MERGE (s:Skill {key: row.key, namespace: $namespace})
ON CREATE SET s.created_at = row.created_at
SET s += row.properties
RETURN count(*) AS written
