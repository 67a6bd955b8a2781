// Take the vectors of some nodes away.
// params: namespace, limit
// returns: written
MATCH (n:Evidence|Policy|Skill|EnvEntity {namespace: $namespace})
WHERE n.embedding IS NOT NULL
WITH n LIMIT $limit
REMOVE n.embedding
RETURN count(*) AS written
