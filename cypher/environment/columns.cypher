// How often a column was accepted, or not, in SQL of one table; it stands in the canonical JSON of the arguments.
// params: namespace, episodes
// returns: part, whole, worked, policy, episodes, tasks
UNWIND $episodes AS given
MATCH (ep:Episode {key: given.key, namespace: $namespace})
MATCH (ep)-[:HAS_STEP]->(e:Evidence)
WHERE e.kind = 'sql' AND size(e.mentions) = 1 AND e.arguments CONTAINS '"columns":'
UNWIND split(split(split(e.arguments, '"columns":["')[1], '"]')[0], '","') AS part
WITH given.policies AS policies, ep.key AS episode, ep.task_key AS task, part, e.mentions[0] AS whole,
     min(CASE WHEN e.is_error THEN 1 ELSE 0 END) = 0 AS worked
UNWIND policies AS policy
RETURN part, whole, worked, policy, count(episode) AS episodes, count(DISTINCT task) AS tasks
ORDER BY part, whole, worked, policy
