// Take the lease of a namespace unless another's has not run out; no row: it is held. The first SET locks the node.
// params: namespace, holder, now, until
// returns: holder, until
MATCH (store:Store {key: $namespace + '/store', namespace: $namespace})
SET store.lease_until = coalesce(store.lease_until, $now)
WITH store
WHERE store.lease IS NULL OR store.lease = $holder OR store.lease_until < $now
SET store.lease = $holder, store.lease_until = $until
RETURN store.lease AS holder, store.lease_until AS until
