// The episodes whose text matches best; the key is null where one is not among those asked for.
// params: namespace, fetch, text, domain
// returns: key, score
CALL db.index.fulltext.queryNodes('episode_text', $text, {limit: $fetch}) YIELD node, score
WITH node, score, node.namespace = $namespace
  AND ($domain IS NULL OR node.domain = $domain) AS is_asked
RETURN CASE WHEN is_asked THEN node.key END AS key, score
ORDER BY score DESC, key
