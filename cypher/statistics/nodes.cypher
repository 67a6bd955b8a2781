// Every node that counts for equality of graphs; unordered, since its readers do not depend on an order.
// params: namespace
// returns: label, properties
MATCH (n:Store|Episode|Task|Evidence|Tool|Pattern|Policy|EnvEntity|Skill|Trial|Feedback|Decision)
WHERE n.namespace = $namespace
RETURN labels(n)[0] AS label, properties(n) AS properties
