// How often a tool's first call worked, or failed, after another tool had worked; * is any.
// params: namespace, episodes
// returns: tool, before, worked, policy, episodes, tasks
UNWIND $episodes AS given
MATCH (ep:Episode {key: given.key, namespace: $namespace})
MATCH (ep)-[:HAS_STEP]->(e:Evidence)
WHERE e.tool IS NOT NULL
WITH given.policies AS policies, ep, e.tool AS tool, min(e.turn) AS called,
     min(CASE WHEN e.is_error THEN null ELSE e.turn END) AS worked
WITH policies, ep, collect({tool: tool, called: called, worked: worked}) AS tools
UNWIND tools AS one
UNWIND ['*'] + [other IN tools WHERE other.tool <> one.tool AND other.worked < one.called | other.tool] AS before
WITH policies, ep.key AS episode, ep.task_key AS task, one.tool AS tool, before,
     coalesce(one.worked = one.called, false) AS worked
UNWIND policies AS policy
RETURN tool, before, worked, policy, count(episode) AS episodes, count(DISTINCT task) AS tasks
ORDER BY tool, before, worked, policy
