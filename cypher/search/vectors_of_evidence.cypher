// The vectors of all steps asked for, to search without an index.
// params: namespace, domain, tool, error_signature
// returns: key, embedding
MATCH (node:Evidence {namespace: $namespace})
WHERE node.embedding IS NOT NULL
  AND ($domain IS NULL OR EXISTS { (:Episode {domain: $domain})-[:HAS_STEP]->(node) })
  AND ($tool IS NULL OR node.tool = $tool)
  AND ($error_signature IS NULL OR node.error_signature = $error_signature)
RETURN node.key AS key, node.embedding AS embedding
ORDER BY key
