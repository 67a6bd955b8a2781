// What went well in the situation of some policies to avoid: other tools that answered the same error.
// params: namespace, policies
// returns: policy, tool, episodes
UNWIND $policies AS policy
MATCH (p:Policy {key: policy, namespace: $namespace})
MATCH (other:Policy {namespace: $namespace, domain: p.domain})<-[:SUPPORTS]-(:Evidence)<-[:HAS_STEP]-(episode:Episode)
WHERE other.stance = 'follow' AND other.error_signature = p.error_signature AND other.tool <> p.tool
WITH p.id AS policy, other.tool AS tool, count(DISTINCT episode) AS episodes
RETURN policy, tool, episodes
ORDER BY policy, episodes DESC, tool
