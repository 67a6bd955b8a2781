// The steps whose text matches best; the key is null where one is not among those asked for.
// params: namespace, fetch, text, domain, tool, error_signature
// returns: key, score
CALL db.index.fulltext.queryNodes('evidence_text', $text, {limit: $fetch}) YIELD node, score
WITH node, score, node.namespace = $namespace
  AND ($domain IS NULL OR EXISTS { (:Episode {domain: $domain})-[:HAS_STEP]->(node) })
  AND ($tool IS NULL OR node.tool = $tool)
  AND ($error_signature IS NULL OR node.error_signature = $error_signature) AS is_asked
RETURN CASE WHEN is_asked THEN node.key END AS key, score
ORDER BY score DESC, key
