// The steps that a skill cites of its policy's evidence, with what was so when each was taken.
// params: namespace, key
// returns: evidence, relation, context, task_key, is_trusted
MATCH (s:Skill {key: $key, namespace: $namespace})-[:CITES]->(e:Evidence)<-[:HAS_STEP]-(episode:Episode)
MATCH (s)-[:CRYSTALLIZED_FROM]->(:Policy)<-[r:SUPPORTS|CONTRADICTS]-(e)
WHERE e.context IS NOT NULL
RETURN e.key AS evidence, type(r) AS relation, e.context AS context, episode.task_key AS task_key,
       episode.origin = 'own' AND coalesce(episode.reward_basis, 'score') <> 'self_reported' AS is_trusted
ORDER BY evidence
