// Let skills of a domain no longer respect what does not constrain their tools, and archived ones nothing.
// params: namespace, domain
// returns: written
MATCH (s:Skill {namespace: $namespace, domain: $domain})-[r:RESPECTS]->(n:EnvEntity)
WHERE s.status = 'archived' OR n.status <> 'current' OR NOT (n)-[:CONSTRAINS]->(:Tool)<-[:REQUIRES]-(s)
DELETE r
RETURN count(*) AS written
