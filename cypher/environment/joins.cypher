// In how many episodes an SQL query of exactly two tables was accepted, or not.
// params: namespace, episodes
// returns: part, whole, worked, policy, episodes, tasks
UNWIND $episodes AS given
MATCH (ep:Episode {key: given.key, namespace: $namespace})
MATCH (ep)-[:HAS_STEP]->(e:Evidence)
WHERE e.kind = 'sql' AND size(e.mentions) = 2
WITH given.policies AS policies, ep.key AS episode, ep.task_key AS task, e.mentions[0] AS part, e.mentions[1] AS whole,
     min(CASE WHEN e.is_error THEN 1 ELSE 0 END) = 0 AS worked
UNWIND policies AS policy
RETURN part, whole, worked, policy, count(episode) AS episodes, count(DISTINCT task) AS tasks
ORDER BY part, whole, worked, policy
