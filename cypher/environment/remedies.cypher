// How often the next call of a tool after an error worked, or failed, by the tool called first after that error.
// params: namespace, episodes
// returns: tool, error, remedy, worked, policy, episodes, tasks
UNWIND $episodes AS given
MATCH (ep:Episode {key: given.key, namespace: $namespace})
MATCH (ep)-[:HAS_STEP]->(e:Evidence)-[:NEXT*1..3]->(answer:Evidence)
WHERE e.is_error AND e.tool IS NOT NULL AND answer.tool IS NOT NULL
  AND answer.turn > e.turn AND answer.error_signature <> ''
WITH given.policies AS policies, ep, e, answer
ORDER BY answer.index
WITH policies, ep, e, collect({tool: answer.tool, error: answer.error_signature})[0] AS answer
MATCH (ep)-[:HAS_STEP]->(again:Evidence {tool: e.tool})
WHERE again.turn > e.turn
WITH policies, ep, e, answer, again
ORDER BY again.index
WITH policies, ep, e, answer, collect(again.is_error)[0] AS failed
WITH policies, ep.key AS episode, ep.task_key AS task, e.tool AS tool, answer.error AS error, answer.tool AS remedy,
     min(CASE WHEN failed THEN 1 ELSE 0 END) = 0 AS worked
UNWIND policies AS policy
RETURN tool, error, remedy, worked, policy, count(episode) AS episodes, count(DISTINCT task) AS tasks
ORDER BY tool, error, remedy, worked, policy
