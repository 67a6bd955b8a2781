// How many skills of the namespace have a vector, counted no further than the limit.
// params: namespace, limit
// returns: vectors
MATCH (node:Skill)
WHERE node.key STARTS WITH $namespace + '/' AND node.embedding IS NOT NULL
WITH node
LIMIT $limit
RETURN count(node) AS vectors
