// Note that all evidence is valued by the parameters of the namespace.
// params: namespace
// returns: written
MATCH (store:Store {key: $namespace + '/store', namespace: $namespace})
SET store.is_revaluing = null
RETURN count(*) AS written
