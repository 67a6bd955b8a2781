// In how many episodes an argument of one tool came from an earlier result of another; path * is any.
// params: namespace, episodes
// returns: tool, argument, source, path, policy, episodes, tasks
UNWIND $episodes AS given
MATCH (ep:Episode {key: given.key, namespace: $namespace})
MATCH (ep)-[:HAS_STEP]->(e:Evidence)-[d:DERIVES_FROM]->(origin:Evidence)
WHERE e.tool IS NOT NULL AND origin.tool IS NOT NULL AND origin.tool <> e.tool
UNWIND [coalesce(d.path, ''), '*'] AS path
WITH DISTINCT given.policies AS policies, ep.key AS episode, ep.task_key AS task, e.tool AS tool,
     d.argument AS argument, origin.tool AS source, path
UNWIND policies AS policy
RETURN tool, argument, source, path, policy, count(episode) AS episodes, count(DISTINCT task) AS tasks
ORDER BY tool, argument, source, path, policy
