// In how many episodes a tool worked with a name, numbers apart: sinkbasin 1 is a sinkbasin; tool * is any.
// params: namespace, episodes
// returns: name, tool, policy, episodes, tasks
UNWIND $episodes AS given
MATCH (ep:Episode {key: given.key, namespace: $namespace})
MATCH (ep)-[:HAS_STEP]->(e:Evidence)
WHERE e.tool IS NOT NULL AND NOT e.is_error
UNWIND e.mentions AS mention
UNWIND [e.tool, '*'] AS tool
WITH DISTINCT given.policies AS policies, ep.key AS episode, ep.task_key AS task, tool,
     [word IN split(mention, ' ') WHERE NOT word =~ '[0-9]+'] AS name
UNWIND policies AS policy
RETURN name, tool, policy, count(episode) AS episodes, count(DISTINCT task) AS tasks
ORDER BY name, tool, policy
