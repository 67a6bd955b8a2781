// The tool steps of some episodes, with their arguments and what those came from, in order.
// params: namespace, episodes
// returns: episode, task_key, key, index, tool, kind, arguments, told, derived
UNWIND $episodes AS episode
MATCH (ep:Episode {key: episode, namespace: $namespace})-[:HAS_STEP]->(e:Evidence)
WHERE e.tool IS NOT NULL
OPTIONAL MATCH (e)-[d:DERIVES_FROM]->(source:Evidence)
WITH episode, ep, e, collect({argument: d.argument, path: d.path, index: source.index, tool: source.tool}) AS derived
RETURN episode, ep.task_key AS task_key, e.key AS key, e.index AS index, e.tool AS tool, e.kind AS kind,
       e.arguments AS arguments, e.told AS told, derived
ORDER BY episode, index
