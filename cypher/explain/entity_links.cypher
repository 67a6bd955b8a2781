// What a statement about an environment constrains, depends on or is part of, and the skills that respect it.
// params: namespace, key
// returns: relation, key, title
MATCH (n:EnvEntity {key: $key, namespace: $namespace})-[edge:CONSTRAINS|DEPENDS_ON|PART_OF|FROM_TOOL|TO_TOOL|RESPECTS]-(o)
RETURN type(edge) + CASE WHEN startNode(edge).key = $key THEN '' ELSE '_BY' END AS relation, o.key AS key,
       coalesce(o.title, o.statement, o.name) AS title
ORDER BY relation, title, key
