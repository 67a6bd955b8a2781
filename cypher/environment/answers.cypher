// In how many episodes at least half of a tool's calls got an answer that begins alike, words with digits apart.
// params: namespace, episodes, fewest, characters, words
// returns: tool, answer, policy, episodes, tasks
UNWIND $episodes AS given
MATCH (ep:Episode {key: given.key, namespace: $namespace})
MATCH (ep)-[:HAS_STEP]->(e:Evidence)
WHERE e.tool IS NOT NULL
WITH given.policies AS policies, ep, e.tool AS tool,
     [word IN split(substring(e.observation, 0, $characters), ' ') WHERE NOT word =~ '.*[0-9].*'][0..$words] AS answer
WITH policies, ep, tool, collect(answer) AS answers
UNWIND answers AS answer
WITH policies, ep, tool, size(answers) AS calls, answer, count(*) AS times
WHERE 2 * times >= calls
WITH tool, answer, collect({policies: policies, task: ep.task_key}) AS answered
WHERE size(answered) >= $fewest
UNWIND answered AS one
UNWIND one.policies AS policy
RETURN tool, answer, policy, count(*) AS episodes, count(DISTINCT one.task) AS tasks
ORDER BY tool, answer, policy
