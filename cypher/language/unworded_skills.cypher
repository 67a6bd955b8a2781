// Skills on trial or active that have their deterministic words, with the policies they come from, the surest first.
// params: namespace
// returns: key, id, policy, title, trigger, description, preconditions, fallback, verification, boundary, decision_guidance, procedure
MATCH (s:Skill {namespace: $namespace})
WHERE s.status IN ['trial', 'active'] AND s.drafted_by = 'deterministic'
MATCH (s)-[:CRYSTALLIZED_FROM]->(p:Policy)
RETURN s.key AS key, s.id AS id, p.key AS policy, s.title AS title, s.trigger AS trigger,
       s.description AS description, s.preconditions AS preconditions, s.fallback AS fallback,
       s.verification AS verification, s.boundary AS boundary, s.decision_guidance AS decision_guidance,
       s.procedure AS procedure
ORDER BY s.reliability DESC, key
