// The policies that the vector index holds nearest, compared exactly; all is null of one that is not asked for.
// params: namespace, fetch, k, vector, opposite, domain, tool, error_signature, statuses, stance
// returns: answered, keys, scores
CALL db.index.vector.queryNodes('policy_embedding', $fetch, $vector) YIELD node
WITH node, vector.similarity.cosine($vector, $opposite) AS least, node.namespace = $namespace
  AND ($domain IS NULL OR node.domain = $domain)
  AND ($tool IS NULL OR node.tool = $tool)
  AND ($error_signature IS NULL OR node.error_signature = $error_signature)
  AND ($statuses IS NULL OR node.status IN $statuses)
  AND ($stance IS NULL OR node.stance = $stance) AS is_asked
WITH is_asked, CASE WHEN is_asked THEN node.key END AS key, CASE WHEN is_asked
  THEN 2 * (vector.similarity.cosine(node.embedding, $vector) - least) / (1 - least) - 1 END AS score
ORDER BY score DESC, key
RETURN count(*) AS answered, collect(key)[..4 * $k] AS keys, collect(score)[..4 * $k] AS scores
