// In how many episodes later steps took a value from a field of a tool's result; part * is any.
// params: namespace, episodes
// returns: part, whole, policy, episodes, tasks
UNWIND $episodes AS given
MATCH (ep:Episode {key: given.key, namespace: $namespace})
MATCH (ep)-[:HAS_STEP]->(e:Evidence)-[d:DERIVES_FROM]->(origin:Evidence)
WHERE e.tool IS NOT NULL AND origin.tool IS NOT NULL AND d.path IS NOT NULL
UNWIND [d.path, '*'] AS part
WITH DISTINCT given.policies AS policies, ep.key AS episode, ep.task_key AS task, part, origin.tool AS whole
UNWIND policies AS policy
RETURN part, whole, policy, count(episode) AS episodes, count(DISTINCT task) AS tasks
ORDER BY part, whole, policy
