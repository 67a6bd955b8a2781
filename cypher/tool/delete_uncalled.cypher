// Remove those of some tools that no step calls.
// params: namespace, keys
// returns: deleted
UNWIND $keys AS key
MATCH (tool:Tool {key: key, namespace: $namespace})
WHERE NOT EXISTS { (:Evidence)-[:CALLED]->(tool) }
DETACH DELETE tool
RETURN count(*) AS deleted
