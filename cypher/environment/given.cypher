// In how many episodes every call of a tool that worked touched one name, no id and numbers apart.
// params: namespace, episodes, fewest
// returns: tool, name, policy, episodes, tasks
UNWIND $episodes AS given
MATCH (ep:Episode {key: given.key, namespace: $namespace})
MATCH (ep)-[:HAS_STEP]->(e:Evidence)
WHERE e.tool IS NOT NULL AND NOT e.is_error
WITH given.policies AS policies, ep, e.tool AS tool, collect(e) AS calls
UNWIND calls AS call
UNWIND call.mentions AS mention
WITH policies, ep, tool, size(calls) AS calls, call.index AS place,
     [word IN split(mention, ' ') WHERE NOT word =~ '[0-9]+'] AS name
WITH policies, ep, tool, calls, name, count(DISTINCT place) AS times
WHERE times = calls
WITH tool, name, collect({policies: policies, task: ep.task_key}) AS touched
WHERE size(touched) >= $fewest
UNWIND touched AS one
UNWIND one.policies AS policy
RETURN tool, name, policy, count(*) AS episodes, count(DISTINCT one.task) AS tasks
ORDER BY tool, name, policy
