// The domains of which something was told that is not taken in yet, each time with its place among the inputs.
// params: namespace
// returns: domain, sequence
MATCH (r:Trial {is_pending: true, namespace: $namespace})-[:OF]->(s:Skill)
RETURN s.domain AS domain, r.sequence AS sequence
UNION ALL
MATCH (r:Feedback {is_pending: true, namespace: $namespace})-[:ABOUT]->(s:Skill)
RETURN s.domain AS domain, r.sequence AS sequence
UNION ALL
MATCH (r:Decision {is_pending: true, namespace: $namespace})-[:ABOUT]->(s:Skill|Policy)
RETURN s.domain AS domain, r.sequence AS sequence
