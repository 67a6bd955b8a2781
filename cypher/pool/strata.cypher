// The pool's episodes and the solved among them, by number of tool steps, agent and model.
// params: namespace, domain
// returns: tool_steps, agent, model, episodes, solved
MATCH (e:Episode {namespace: $namespace, domain: $domain})
WHERE e.is_learned AND e.tool_steps > 0
RETURN e.tool_steps AS tool_steps, e.agent AS agent, e.model AS model, count(*) AS episodes,
       sum(CASE WHEN e.solved THEN 1 ELSE 0 END) AS solved
ORDER BY tool_steps, agent, model
