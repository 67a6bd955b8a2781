// How many statements of the namespace have a vector, counted no further than the limit.
// params: namespace, limit
// returns: vectors
MATCH (node:EnvEntity)
WHERE node.key STARTS WITH $namespace + '/' AND node.embedding IS NOT NULL
WITH node
LIMIT $limit
RETURN count(node) AS vectors
