// Active policies for some tools, also after one error, and the skills drafted from them, the strongest first.
// params: namespace, tools, domain, error_signature
// returns: policy, stance, strength, skill
UNWIND $tools AS tool
MATCH (:Tool {key: $namespace + '/' + tool, namespace: $namespace})<-[:USES]-(p:Policy)
WHERE p.tool = tool AND p.status = 'active'
  AND ($domain IS NULL OR p.domain = $domain)
  AND ($error_signature IS NULL OR p.error_signature = $error_signature)
OPTIONAL MATCH (s:Skill)-[:CRYSTALLIZED_FROM]->(p)
WHERE s.status IN ['active', 'trial']
RETURN p.key AS policy, p.stance AS stance, CASE WHEN p.stance = 'follow' THEN p.gain ELSE -p.gain END AS strength,
       s.key AS skill
ORDER BY strength DESC, policy, skill
