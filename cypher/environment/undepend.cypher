// Let tools no longer depend on tools in a domain.
// params: namespace, rows, domain
// returns: written
UNWIND $rows AS row
MATCH (tool:Tool {key: row.key, namespace: $namespace})-[d:DEPENDS_ON {domain: $domain}]->(:Tool {key: row.to})
DELETE d
RETURN count(*) AS written
