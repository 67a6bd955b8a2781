// Note the idempotency key that a step was recorded under.
// params: namespace, episode, step, idempotency_key
// returns: step
MATCH (:Episode {key: $episode, namespace: $namespace})-[:HAS_STEP]->(step:Evidence {key: $step})
SET step.recorded_as = $idempotency_key
RETURN step.key AS step
