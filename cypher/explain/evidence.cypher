// One step with its episode's outcome and the step after it.
// params: namespace, key
// returns: namespace, id, created_at, episode, index, turn, state, action, tool, kind, arguments, observation, is_error, error_signature, reflection, alpha, graded_by, value, mentions, told, text, occurred_at, episode_key, task, reward, sequence, is_learned, next_key, next_value
MATCH (e:Evidence {key: $key, namespace: $namespace})
MATCH (e)<-[:HAS_STEP]-(ep:Episode)
OPTIONAL MATCH (e)-[:NEXT]->(following:Evidence)
RETURN e.namespace AS namespace, e.id AS id, e.created_at AS created_at, e.episode AS episode, e.index AS index,
       e.turn AS turn, e.state AS state, e.action AS action, e.tool AS tool, e.kind AS kind,
       e.arguments AS arguments, e.observation AS observation, e.is_error AS is_error,
       e.error_signature AS error_signature, e.reflection AS reflection, e.alpha AS alpha, e.graded_by AS graded_by, e.value AS value,
       e.mentions AS mentions, e.told AS told, e.text AS text, e.occurred_at AS occurred_at, ep.key AS episode_key,
       ep.task AS task, ep.reward AS reward, ep.sequence AS sequence, ep.is_learned AS is_learned, following.key AS next_key,
       following.value AS next_value
