// What the statements about a domain's environment are joined to.
// params: namespace, domain
// returns: key, type, to, label
MATCH (n:EnvEntity {namespace: $namespace, domain: $domain})
MATCH (n)-[edge:ABSTRACTED_FROM|FROM_TOOL|TO_TOOL|CONSTRAINS|DEPENDS_ON|PART_OF]->(other)
RETURN n.key AS key, type(edge) AS type, other.key AS to, labels(other)[0] AS label
ORDER BY key, type, to
