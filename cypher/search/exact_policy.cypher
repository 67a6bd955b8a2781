// The policies nearest to a vector, of all that are asked for; the scale of an engine's cosine starts at least.
// params: namespace, k, vector, opposite, domain, tool, error_signature, statuses, stance
// returns: key, score
MATCH (node:Policy)
WHERE node.key STARTS WITH $namespace + '/' AND node.embedding IS NOT NULL
  AND ($domain IS NULL OR node.domain = $domain)
  AND ($tool IS NULL OR node.tool = $tool)
  AND ($error_signature IS NULL OR node.error_signature = $error_signature)
  AND ($statuses IS NULL OR node.status IN $statuses)
  AND ($stance IS NULL OR node.stance = $stance)
WITH node, vector.similarity.cosine($vector, $opposite) AS least
RETURN node.key AS key,
  2 * (vector.similarity.cosine(node.embedding, $vector) - least) / (1 - least) - 1 AS score
ORDER BY score DESC, key
LIMIT $k
