// The policies whose text matches best; the key is null where one is not among those asked for.
// params: namespace, fetch, k, text, domain, tool, error_signature, statuses, stance
// returns: answered, keys, scores
CALL db.index.fulltext.queryNodes('policy_text', $text, {limit: $fetch}) YIELD node, score
WITH node, score, node.namespace = $namespace
  AND ($domain IS NULL OR node.domain = $domain)
  AND ($tool IS NULL OR node.tool = $tool)
  AND ($error_signature IS NULL OR node.error_signature = $error_signature)
  AND ($statuses IS NULL OR node.status IN $statuses)
  AND ($stance IS NULL OR node.stance = $stance) AS is_asked
WITH CASE WHEN is_asked THEN node.key END AS key, CASE WHEN is_asked THEN score END AS score
ORDER BY score DESC, key
RETURN count(*) AS answered, collect(key)[..4 * $k] AS keys, collect(score)[..4 * $k] AS scores
