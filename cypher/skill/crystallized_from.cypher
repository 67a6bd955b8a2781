// Link skills to the policy that they were drafted from.
// params: namespace, rows
// returns: written
UNWIND $rows AS row
MATCH (s:Skill {key: row.key, namespace: $namespace})
MATCH (p:Policy {key: row.to, namespace: $namespace})
MERGE (s)-[:CRYSTALLIZED_FROM]->(p)
RETURN count(*) AS written
