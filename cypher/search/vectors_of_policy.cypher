// The vectors of all policies asked for, to search without an index.
// params: namespace, domain, tool, error_signature, statuses
// returns: key, embedding
MATCH (node:Policy {namespace: $namespace})
WHERE node.embedding IS NOT NULL
  AND ($domain IS NULL OR node.domain = $domain)
  AND ($tool IS NULL OR node.tool = $tool)
  AND ($error_signature IS NULL OR node.error_signature = $error_signature)
  AND ($statuses IS NULL OR node.status IN $statuses)
RETURN node.key AS key, node.embedding AS embedding
ORDER BY key
