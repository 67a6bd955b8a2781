// The steps whose text matches best; the key is null where one is not among those asked for.
// params: namespace, fetch, k, text, domain, tool, error_signature, worth
// returns: answered, keys, scores
CALL db.index.fulltext.queryNodes('evidence_text', $text, {limit: $fetch}) YIELD node, score
WITH node, score, node.namespace = $namespace
  AND ($domain IS NULL OR EXISTS { (:Episode {domain: $domain})-[:HAS_STEP]->(node) })
  AND ($tool IS NULL OR node.tool = $tool)
  AND ($error_signature IS NULL OR node.error_signature = $error_signature)
  AND ($worth IS NULL OR ($worth = 'good' AND node.value > 0) OR ($worth = 'bad' AND node.value < 0)) AS is_asked
WITH CASE WHEN is_asked THEN node.key END AS key, CASE WHEN is_asked THEN score END AS score
ORDER BY score DESC, key
RETURN count(*) AS answered, collect(key)[..4 * $k] AS keys, collect(score)[..4 * $k] AS scores
