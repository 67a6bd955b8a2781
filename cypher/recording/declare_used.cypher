// Note that the agent of an episode used a skill that recall gave it.
// params: namespace, episode, skill
// returns: written
MATCH (:Episode {key: $episode, namespace: $namespace})-[o:OFFERED]->(:Skill {key: $skill, namespace: $namespace})
SET o.declared_used = true
RETURN count(*) AS written
