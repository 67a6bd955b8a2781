// The scored episodes of a domain but for some, in the order of their sequence.
// params: namespace, domain, without
// returns: key, sequence, task_key, reward, solved, tool_steps, agent, model, trajectory, is_trusted, is_inferred
MATCH (e:Episode {namespace: $namespace, domain: $domain})
WHERE e.sequence IS NOT NULL AND e.reward IS NOT NULL AND NOT e.key IN $without
RETURN e.key AS key, e.sequence AS sequence, e.task_key AS task_key, e.reward AS reward, e.solved AS solved,
       e.tool_steps AS tool_steps, e.agent AS agent, e.model AS model, e.trajectory_sha256 AS trajectory,
       e.origin = 'own' AND coalesce(e.reward_basis, 'score') <> 'self_reported' AS is_trusted,
       coalesce(e.reward_basis, 'score') = 'inferred' AS is_inferred
ORDER BY sequence
