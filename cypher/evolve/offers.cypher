// The policies of which a skill was offered to some episodes.
// params: namespace, episodes
// returns: episode, policy
UNWIND $episodes AS episode
MATCH (:Episode {key: episode, namespace: $namespace})-[:OFFERED]->(:Skill)-[:CRYSTALLIZED_FROM]->(p:Policy)
RETURN DISTINCT episode, p.id AS policy
ORDER BY episode, policy
