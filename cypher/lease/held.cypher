// Who is learning in the namespace, and until when no other may.
// params: namespace
// returns: holder, until
MATCH (store:Store {key: $namespace + '/store', namespace: $namespace})
WHERE store.lease IS NOT NULL
RETURN store.lease AS holder, store.lease_until AS until
