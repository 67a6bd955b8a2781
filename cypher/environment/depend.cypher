// Let tools depend on tools in a domain.
// params: namespace, rows, domain
// returns: written
UNWIND $rows AS row
MATCH (tool:Tool {key: row.key, namespace: $namespace})
MATCH (other:Tool {key: row.to, namespace: $namespace})
MERGE (tool)-[d:DEPENDS_ON {domain: $domain}]->(other)
SET d.support = row.support, d.confidence = row.confidence
RETURN count(*) AS written
