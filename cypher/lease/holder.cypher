// Who holds the lease of a namespace.
// params: namespace
// returns: holder
MATCH (store:Store {key: $namespace + '/store', namespace: $namespace})
WHERE store.lease IS NOT NULL
RETURN store.lease AS holder
