// In how many episodes a tool worked with a name, no id and numbers apart: sinkbasin 1 is a sinkbasin; tool * is any.
// params: namespace, episodes, fewest
// returns: name, tool, policy, episodes, tasks
UNWIND $episodes AS given
MATCH (ep:Episode {key: given.key, namespace: $namespace})
MATCH (ep)-[:HAS_STEP]->(e:Evidence)
WHERE e.tool IS NOT NULL AND NOT e.is_error
UNWIND e.mentions AS mention
WITH given.policies AS policies, ep, e, mention
WHERE none(key IN ['"id', '_id', 'Id', 'ID'] WHERE e.arguments CONTAINS key + '":"' + mention + '"')
UNWIND [e.tool, '*'] AS tool
WITH DISTINCT policies, ep.key AS episode, ep.task_key AS task, tool,
     [word IN split(mention, ' ') WHERE NOT word =~ '[0-9]+'] AS name
WITH name, collect({policies: policies, task: task, tool: tool}) AS touched
WHERE size([one IN touched WHERE one.tool = '*']) >= $fewest
UNWIND touched AS one
UNWIND one.policies AS policy
RETURN name, one.tool AS tool, policy, count(*) AS episodes, count(DISTINCT one.task) AS tasks
ORDER BY name, tool, policy
