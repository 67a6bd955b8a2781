// The run of a stage that spent something on a language model and has not ended: it was interrupted, or goes on now.
// params: namespace, stage
// returns: key
MATCH (r:Run {namespace: $namespace, stage: $stage})
WHERE r.ended_at IS NULL AND r.calls IS NOT NULL
RETURN r.key AS key
ORDER BY r.started_at, key
LIMIT 1
