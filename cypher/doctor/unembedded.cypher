// Policies and skills without a vector.
// params: namespace
// returns: label, nodes
MATCH (n:Policy|Skill {namespace: $namespace})
WHERE n.embedding IS NULL
RETURN labels(n)[0] AS label, count(*) AS nodes
ORDER BY label
