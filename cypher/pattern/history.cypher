// All evidence of a pattern, whether it waits or belongs to a policy, by episode in order.
// params: namespace, pattern
// returns: key, index, value, embedding, segment, resolved, episode, sequence, task_key, reward, solved, tool_steps, agent, model, trajectory
MATCH (b:Pattern {key: $pattern, namespace: $namespace})
OPTIONAL MATCH (b)<-[:INDUCED_FROM]-(p:Policy)
WITH collect(b) + collect(p) AS homes
UNWIND homes AS home
MATCH (home)<-[r:CANDIDATE_FOR|SUPPORTS|CONTRADICTS|BORDERS]-(e:Evidence)<-[:HAS_STEP]-(episode:Episode)
RETURN DISTINCT e.key AS key, e.index AS index, e.value AS value, e.embedding AS embedding, r.segment AS segment,
       r.resolved AS resolved, episode.key AS episode, episode.sequence AS sequence, episode.task_key AS task_key,
       episode.reward AS reward, episode.solved AS solved, episode.tool_steps AS tool_steps, episode.agent AS agent,
       episode.model AS model, episode.trajectory_sha256 AS trajectory
ORDER BY sequence, index
