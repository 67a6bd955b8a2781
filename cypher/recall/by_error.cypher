// Active policies after one error, whatever their tool, and the skills drafted from them, the strongest first.
// params: namespace, domain, error_signature
// returns: policy, stance, strength, skill
MATCH (p:Policy {namespace: $namespace})
WHERE p.error_signature = $error_signature AND p.status = 'active' AND ($domain IS NULL OR p.domain = $domain)
OPTIONAL MATCH (s:Skill)-[:CRYSTALLIZED_FROM]->(p)
WHERE s.status IN ['active', 'trial']
RETURN p.key AS policy, p.stance AS stance, CASE WHEN p.stance = 'follow' THEN p.gain ELSE -p.gain END AS strength,
       s.key AS skill
ORDER BY strength DESC, policy, skill
