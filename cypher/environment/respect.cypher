// Let each skill of a domain that is not archived respect the constraints on its tools.
// params: namespace, domain
// returns: written
MATCH (s:Skill {namespace: $namespace, domain: $domain})-[:REQUIRES]->(:Tool)<-[:CONSTRAINS]-(n:EnvEntity)
WHERE s.status <> 'archived' AND n.status = 'current' AND n.domain = $domain
WITH DISTINCT s, n
MERGE (s)-[:RESPECTS]->(n)
RETURN count(*) AS written
