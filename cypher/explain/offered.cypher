// The skills that were offered to the agent of an episode.
// params: namespace, key
// returns: key, name
MATCH (:Episode {key: $key, namespace: $namespace})-[:OFFERED]->(s:Skill)
RETURN s.key AS key, s.name AS name
ORDER BY key
