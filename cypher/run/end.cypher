// Note when a run ended.
// params: namespace, key, ended_at
// returns: key
MATCH (r:Run {key: $key, namespace: $namespace})
SET r.ended_at = $ended_at
RETURN r.key AS key
