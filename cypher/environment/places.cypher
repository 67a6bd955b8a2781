// How often a verb's object was to be had from its source, or not, numbers apart; both stand in JSON text.
// params: namespace, episodes
// returns: part, whole, worked, policy, episodes, tasks
UNWIND $episodes AS given
MATCH (ep:Episode {key: given.key, namespace: $namespace})
MATCH (ep)-[:HAS_STEP]->(e:Evidence)
WHERE e.kind = 'verb' AND e.arguments CONTAINS '"object":"' AND e.arguments CONTAINS '"source":"'
WITH given.policies AS policies, ep, e, split(split(split(e.arguments, '"object":"')[1], '"')[0], ' ') AS thing,
     split(split(split(e.arguments, '"source":"')[1], '"')[0], ' ') AS place
WITH policies, ep.key AS episode, ep.task_key AS task, [word IN thing WHERE NOT word =~ '[0-9]+'] AS part,
     [word IN place WHERE NOT word =~ '[0-9]+'] AS whole, min(CASE WHEN e.is_error THEN 1 ELSE 0 END) = 0 AS worked
UNWIND policies AS policy
RETURN part, whole, worked, policy, count(episode) AS episodes, count(DISTINCT task) AS tasks
ORDER BY part, whole, worked, policy
