// How many nodes of each label the namespace has.
// params: namespace
// returns: label, nodes
MATCH (n:Store|Episode|Task|Evidence|Tool|Pattern|Policy|EnvEntity|Skill|Trial|Feedback|Decision|Run)
WHERE n.namespace = $namespace
RETURN labels(n)[0] AS label, count(*) AS nodes
ORDER BY label
