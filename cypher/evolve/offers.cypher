// The skills that recall gave to the agents of some episodes, and whether they declared having used them.
// params: namespace, episodes
// returns: episode, skill, declared_used
UNWIND $episodes AS episode
MATCH (:Episode {key: episode, namespace: $namespace})-[o:OFFERED]->(s:Skill)
RETURN episode, s.id AS skill, coalesce(o.declared_used, false) AS declared_used
ORDER BY episode, skill
