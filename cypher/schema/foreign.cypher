// Labels of ours on nodes that are not: without the key that this package gives.
// params:
// returns: label, nodes
MATCH (n:Store|Episode|Task|Evidence|Tool|Pattern|Policy|EnvEntity|Skill|Trial|Feedback|Decision|Run|Answer)
WHERE n.key IS NULL OR n.namespace IS NULL OR n.id IS NULL OR n.key <> n.namespace + '/' + n.id
RETURN labels(n)[0] AS label, count(*) AS nodes
ORDER BY label
