// The trusted episodes of a domain's pool, in order, with the policies that each has an edge to.
// params: namespace, domain
// returns: key, sequence, task_key, reward, solved, tool_steps, agent, model, policies, supported, offered
MATCH (e:Episode {namespace: $namespace, domain: $domain, origin: 'own'})
WHERE e.is_learned AND e.tool_steps > 0 AND coalesce(e.reward_basis, 'score') <> 'self_reported'
OPTIONAL MATCH (e)-[:HAS_STEP]->(:Evidence)-[r:SUPPORTS|CONTRADICTS|BORDERS]->(p:Policy)
WITH e, collect(DISTINCT p.id) AS policies, 
     collect(DISTINCT CASE WHEN type(r) = 'SUPPORTS' AND p.stance = 'follow' THEN p.id ELSE null END) AS supported
OPTIONAL MATCH (e)-[:OFFERED]->(:Skill)-[:CRYSTALLIZED_FROM]->(o:Policy)
RETURN e.key AS key, e.sequence AS sequence, e.task_key AS task_key, e.reward AS reward, e.solved AS solved,
       e.tool_steps AS tool_steps, e.agent AS agent, e.model AS model, policies, supported,
       collect(DISTINCT o.id) AS offered
ORDER BY sequence
