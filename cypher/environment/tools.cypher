// Which tools depend on which in a domain, as the graph has it.
// params: namespace, domain
// returns: key, to, support, confidence
MATCH (n:EnvEntity {namespace: $namespace, domain: $domain})-[:FROM_TOOL]->(tool:Tool)
WITH DISTINCT tool
MATCH (tool)-[d:DEPENDS_ON {domain: $domain}]->(other:Tool)
RETURN tool.key AS key, other.key AS to, d.support AS support, d.confidence AS confidence
ORDER BY key, to
