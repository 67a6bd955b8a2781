// The version that a skill supersedes.
// params: namespace, key
// returns: key
MATCH (:Skill {key: $key, namespace: $namespace})-[:SUPERSEDES]->(older:Skill)
WHERE older.status IS NOT NULL
RETURN older.key AS key
ORDER BY key
