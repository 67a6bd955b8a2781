// The skills of a domain's policies, oldest version first.
// params: namespace, domain
// returns: policy, id, version, procedure
MATCH (s:Skill {namespace: $namespace, domain: $domain})-[:CRYSTALLIZED_FROM]->(p:Policy)
RETURN p.id AS policy, s.id AS id, s.version AS version, s.procedure AS procedure
ORDER BY policy, version
