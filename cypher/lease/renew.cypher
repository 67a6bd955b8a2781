// Lengthen a lease that is still held; no row means that another has taken it.
// params: namespace, holder, until
// returns: holder, until
MATCH (store:Store {key: $namespace + '/store', namespace: $namespace})
SET store.lease_until = CASE WHEN store.lease = $holder THEN $until ELSE store.lease_until END
WITH store
WHERE store.lease = $holder
RETURN store.lease AS holder, store.lease_until AS until
