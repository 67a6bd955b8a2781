// The first step of each episode on a side of a policy, with what was so when it was taken.
// params: namespace, key
// returns: evidence, relation, context, task_key, is_trusted
MATCH (:Policy {key: $key, namespace: $namespace})<-[r:SUPPORTS|CONTRADICTS]-(e:Evidence)<-[:HAS_STEP]-(episode:Episode)
WHERE e.context IS NOT NULL
RETURN e.key AS evidence, type(r) AS relation, e.context AS context, episode.task_key AS task_key,
       episode.origin = 'own' AND coalesce(episode.reward_basis, 'score') <> 'self_reported' AS is_trusted
ORDER BY evidence
