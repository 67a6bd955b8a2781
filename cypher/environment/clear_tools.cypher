// Let no tools depend on tools in a domain; before its statements go, which name them.
// params: namespace, domain
// returns: written
MATCH (n:EnvEntity {namespace: $namespace, domain: $domain})-[:FROM_TOOL]->(tool:Tool)
WITH DISTINCT tool
MATCH (tool)-[d:DEPENDS_ON {domain: $domain}]->(:Tool)
DELETE d
RETURN count(*) AS written
