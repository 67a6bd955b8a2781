// Evidence that bears a policy out, of the newest episodes first, with what a skill shows of it.
// params: namespace, key, limit
// returns: evidence, episode, sequence, task_key, is_trusted, tool, arguments, observation, value, index
MATCH (:Policy {key: $key, namespace: $namespace})<-[:SUPPORTS]-(e:Evidence)<-[:HAS_STEP]-(episode:Episode)
RETURN e.key AS evidence, episode.key AS episode, episode.sequence AS sequence, episode.task_key AS task_key,
       episode.origin = 'own' AND coalesce(episode.reward_basis, 'score') <> 'self_reported' AS is_trusted,
       e.tool AS tool,
       e.arguments AS arguments, e.observation AS observation,
       e.value AS value, e.index AS index
ORDER BY sequence DESC, index DESC
LIMIT $limit
