// In how many episodes a tool met an error, by the signature that the step has which answers it.
// params: namespace, episodes
// returns: tool, error, policy, episodes, tasks
UNWIND $episodes AS given
MATCH (ep:Episode {key: given.key, namespace: $namespace})
MATCH (ep)-[:HAS_STEP]->(e:Evidence)-[:NEXT]->(answer:Evidence)
WHERE e.is_error AND e.tool IS NOT NULL AND answer.turn > e.turn AND answer.error_signature <> ''
WITH DISTINCT given.policies AS policies, ep.key AS episode, ep.task_key AS task, e.tool AS tool,
     answer.error_signature AS error
UNWIND policies AS policy
RETURN tool, error, policy, count(episode) AS episodes, count(DISTINCT task) AS tasks
ORDER BY tool, error, policy
