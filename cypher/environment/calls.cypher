// In how many episodes each tool was called, and in how many a call of it worked.
// params: namespace, episodes
// returns: tool, worked, policy, episodes, tasks
UNWIND $episodes AS given
MATCH (ep:Episode {key: given.key, namespace: $namespace})
MATCH (ep)-[:HAS_STEP]->(e:Evidence)
WHERE e.tool IS NOT NULL
WITH given.policies AS policies, ep.key AS episode, ep.task_key AS task, e.tool AS tool,
     min(CASE WHEN e.is_error THEN 1 ELSE 0 END) = 0 AS worked
UNWIND policies AS policy
RETURN tool, worked, policy, count(episode) AS episodes, count(DISTINCT task) AS tasks
ORDER BY tool, worked, policy
