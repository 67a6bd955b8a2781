// The steps of one episode, first to last.
// params: namespace, key
// returns: namespace, id, created_at, episode, index, turn, state, action, tool, kind, arguments, observation, is_error, error_signature, reflection, alpha, graded_by, value, mentions, told, text, occurred_at, embedding
MATCH (:Episode {key: $key, namespace: $namespace})-[:HAS_STEP]->(step:Evidence)
RETURN
  step.namespace AS namespace, step.id AS id, step.created_at AS created_at, step.episode AS episode,
  step.index AS index, step.turn AS turn, step.state AS state, step.action AS action, step.tool AS tool,
  step.kind AS kind, step.arguments AS arguments, step.observation AS observation, step.is_error AS is_error,
  step.error_signature AS error_signature, step.reflection AS reflection, step.alpha AS alpha,
  step.graded_by AS graded_by, step.value AS value,
  step.mentions AS mentions, step.told AS told, step.text AS text, step.occurred_at AS occurred_at,
  step.embedding AS embedding
ORDER BY index
