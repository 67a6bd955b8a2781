// The vectors of all statements asked for, to search without an index.
// params: namespace, domain, statuses
// returns: key, embedding
MATCH (node:EnvEntity {namespace: $namespace})
WHERE node.embedding IS NOT NULL
  AND ($domain IS NULL OR node.domain = $domain)
  AND ($statuses IS NULL OR node.status IN $statuses)
RETURN node.key AS key, node.embedding AS embedding
ORDER BY key
