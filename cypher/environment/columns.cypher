// How often a column, however its letters are cased, was accepted or not in SQL of one table; from the JSON of arguments.
// params: namespace, episodes, fewest
// returns: part, whole, worked, policy, episodes, tasks
UNWIND $episodes AS given
MATCH (ep:Episode {key: given.key, namespace: $namespace})
MATCH (ep)-[:HAS_STEP]->(e:Evidence)
WHERE e.kind = 'sql' AND size(e.mentions) = 1 AND e.arguments CONTAINS '"columns":'
UNWIND split(split(split(e.arguments, '"columns":["')[1], '"]')[0], '","') AS spelled
WITH given.policies AS policies, ep.key AS episode, ep.task_key AS task, toLower(spelled) AS column,
     e.mentions[0] AS whole, min(spelled) AS spelled, min(CASE WHEN e.is_error THEN 1 ELSE 0 END) = 0 AS worked
WITH column, whole, min(spelled) AS part, collect({policies: policies, task: task, worked: worked}) AS tried
WHERE size(tried) >= $fewest
UNWIND tried AS one
UNWIND one.policies AS policy
RETURN part, whole, one.worked AS worked, policy, count(*) AS episodes, count(DISTINCT one.task) AS tasks
ORDER BY part, whole, worked, policy
