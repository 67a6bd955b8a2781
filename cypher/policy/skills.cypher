// The skills of a domain's policies, oldest version first.
// params: namespace, domain
// returns: policy, id, version
MATCH (s:Skill {namespace: $namespace, domain: $domain})-[:CRYSTALLIZED_FROM]->(p:Policy)
RETURN p.id AS policy, s.id AS id, s.version AS version
ORDER BY policy, version
