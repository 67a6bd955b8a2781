// The domains in which forgetting has begun and not ended.
// params: namespace
// returns: domains
MATCH (store:Store {key: $namespace + '/store', namespace: $namespace})
RETURN coalesce(store.forgetting, []) AS domains
