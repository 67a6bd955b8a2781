// Remove those of some tasks that no episode attempts.
// params: namespace, keys
// returns: deleted
UNWIND $keys AS key
MATCH (task:Task {key: key, namespace: $namespace})
WHERE NOT EXISTS { (:Episode)-[:ATTEMPTS]->(task) }
DETACH DELETE task
RETURN count(*) AS deleted
