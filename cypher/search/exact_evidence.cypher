// The steps nearest to a vector, of all that are asked for; the scale of an engine's cosine starts at least.
// params: namespace, k, vector, opposite, domain, tool, error_signature, worth
// returns: key, score
MATCH (node:Evidence)
WHERE node.key STARTS WITH $namespace + '/' AND node.embedding IS NOT NULL
  AND ($domain IS NULL OR EXISTS { (:Episode {domain: $domain})-[:HAS_STEP]->(node) })
  AND ($tool IS NULL OR node.tool = $tool)
  AND ($error_signature IS NULL OR node.error_signature = $error_signature)
  AND ($worth IS NULL OR ($worth = 'good' AND node.value > 0) OR ($worth = 'bad' AND node.value < 0))
WITH node, vector.similarity.cosine($vector, $opposite) AS least
RETURN node.key AS key,
  2 * (vector.similarity.cosine(node.embedding, $vector) - least) / (1 - least) - 1 AS score
ORDER BY score DESC, key
LIMIT $k
