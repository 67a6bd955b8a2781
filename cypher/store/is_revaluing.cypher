// Whether evidence is still to be valued by the parameters of the namespace.
// params: namespace
// returns: is_revaluing
MATCH (store:Store {key: $namespace + '/store', namespace: $namespace})
RETURN coalesce(store.is_revaluing, false) AS is_revaluing
