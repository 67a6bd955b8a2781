// Every edge that counts for equality of graphs; unordered, since its readers do not depend on an order.
// params: namespace
// returns: source, type, target, properties
MATCH (n:Store|Episode|Task|Evidence|Tool|Pattern|Policy|EnvEntity|Skill|Trial|Feedback|Decision)-[edge]->(other)
WHERE n.namespace = $namespace AND type(edge) <> 'WAS_GENERATED_BY'
RETURN n.key AS source, type(edge) AS type, other.key AS target, properties(edge) AS properties
