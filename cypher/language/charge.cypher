// Add to what a run has spent on a language model.
// params: namespace, key, calls, tokens
// returns: calls, tokens
MATCH (r:Run {key: $key, namespace: $namespace})
SET r.calls = coalesce(r.calls, 0) + $calls, r.tokens = coalesce(r.tokens, 0) + $tokens
RETURN r.calls AS calls, r.tokens AS tokens
