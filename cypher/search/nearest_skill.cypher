// The skills that the vector index holds nearest, each with its vector where it is one of those asked for, else null.
// params: namespace, fetch, vector, domain, statuses
// returns: key, embedding
CALL db.index.vector.queryNodes('skill_embedding', $fetch, $vector) YIELD node, score
WITH node, score, node.namespace = $namespace
  AND ($domain IS NULL OR node.domain = $domain)
  AND ($statuses IS NULL OR node.status IN $statuses) AS is_asked
RETURN CASE WHEN is_asked THEN node.key END AS key, CASE WHEN is_asked THEN node.embedding END AS embedding
ORDER BY score DESC, key
