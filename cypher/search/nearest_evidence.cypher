// The steps that the vector index holds nearest, each with its vector where it is one of those asked for, else null.
// params: namespace, fetch, vector, domain, tool, error_signature
// returns: key, embedding
CALL db.index.vector.queryNodes('evidence_embedding', $fetch, $vector) YIELD node, score
WITH node, score, node.namespace = $namespace
  AND ($domain IS NULL OR EXISTS { (:Episode {domain: $domain})-[:HAS_STEP]->(node) })
  AND ($tool IS NULL OR node.tool = $tool)
  AND ($error_signature IS NULL OR node.error_signature = $error_signature) AS is_asked
RETURN CASE WHEN is_asked THEN node.key END AS key, CASE WHEN is_asked THEN node.embedding END AS embedding
ORDER BY score DESC, key
