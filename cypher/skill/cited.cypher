// Every step of every episode that a skill cites, and what the citation of that step, if any, is.
// params: namespace, key
// returns: evidence, episode, index, tool, arguments, trusted, role, is_shown
MATCH (s:Skill {key: $key, namespace: $namespace})-[:CITES]->(:Evidence)<-[:HAS_STEP]-(ep:Episode)
WITH DISTINCT s, ep
MATCH (ep)-[:HAS_STEP]->(e:Evidence)
OPTIONAL MATCH (s)-[c:CITES]->(e)
RETURN e.key AS evidence, ep.key AS episode, e.index AS index, e.tool AS tool, e.arguments AS arguments,
       ep.origin = 'own' AND coalesce(ep.reward_basis, 'score') <> 'self_reported' AS trusted,
       c.role AS role, coalesce(c.is_shown, false) AS is_shown
ORDER BY episode, index
