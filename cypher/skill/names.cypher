// The names of all skills but those of one policy.
// params: namespace, policy
// returns: name
MATCH (s:Skill {namespace: $namespace})-[:CRYSTALLIZED_FROM]->(p:Policy)
WHERE p.id <> $policy
RETURN DISTINCT s.name AS name
ORDER BY name
