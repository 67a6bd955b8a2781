// How often SQL about a table (* is any) was accepted, or not, where an error of the episode named its database.
// params: namespace, episodes
// returns: part, whole, worked, policy, episodes, tasks
UNWIND $episodes AS given
MATCH (ep:Episode {key: given.key, namespace: $namespace})
MATCH (ep)-[:HAS_STEP]->(e:Evidence)
WHERE e.kind = 'sql' AND e.is_error
UNWIND e.mentions AS missing
WITH given.policies AS policies, ep, split(e.observation, '.' + missing + "'") AS around
WHERE size(around) > 1
WITH DISTINCT policies, ep, last(split(around[0], "'")) AS whole
MATCH (ep)-[:HAS_STEP]->(e:Evidence)
WHERE e.kind = 'sql'
UNWIND e.mentions + ['*'] AS part
WITH policies, ep.key AS episode, ep.task_key AS task, part, whole,
     min(CASE WHEN e.is_error THEN 1 ELSE 0 END) = 0 AS worked
UNWIND policies AS policy
RETURN part, whole, worked, policy, count(episode) AS episodes, count(DISTINCT task) AS tasks
ORDER BY part, whole, worked, policy
