// How many edges of each type start in the namespace.
// params: namespace
// returns: type, edges
MATCH (n:Store|Episode|Task|Evidence|Tool|Pattern|Policy|EnvEntity|Skill|Trial|Feedback|Decision|Run)-[edge]->()
WHERE n.namespace = $namespace
RETURN type(edge) AS type, count(*) AS edges
ORDER BY type
