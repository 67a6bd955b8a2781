// The step that was recorded under an idempotency key.
// params: namespace, key, idempotency_key
// returns: step
MATCH (:Episode {key: $key, namespace: $namespace})-[:HAS_STEP]->(step:Evidence {recorded_as: $idempotency_key})
RETURN step.key AS step
ORDER BY step
