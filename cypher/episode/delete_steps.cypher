// Remove the steps of an episode with all their edges.
// params: namespace, key
// returns: deleted
MATCH (:Episode {key: $key, namespace: $namespace})-[:HAS_STEP]->(step:Evidence)
DETACH DELETE step
RETURN count(*) AS deleted
