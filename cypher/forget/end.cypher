// Note that nothing is being forgotten any more.
// params: namespace
// returns: written
MATCH (store:Store {key: $namespace + '/store', namespace: $namespace})
SET store.forgetting = null
RETURN count(*) AS written
