// What the checks of a skill start from: its procedure and its policy.
// params: namespace, key
// returns: domain, procedure, policy
MATCH (s:Skill {key: $key, namespace: $namespace})-[:CRYSTALLIZED_FROM]->(p:Policy)
RETURN s.domain AS domain, s.procedure AS procedure, p.id AS policy
