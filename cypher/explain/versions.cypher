// The policy of a skill, the version that it took the place of and the one that took its place.
// params: namespace, key
// returns: policy, domain, before, after
MATCH (s:Skill {key: $key, namespace: $namespace})-[:CRYSTALLIZED_FROM]->(p:Policy)
OPTIONAL MATCH (s)-[:SUPERSEDES]->(before:Skill)
OPTIONAL MATCH (after:Skill)-[:SUPERSEDES]->(s)
RETURN p.id AS policy, p.domain AS domain, before.key AS before, after.key AS after
