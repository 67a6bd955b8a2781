// Give a lease back.
// params: namespace, holder
// returns: released
MATCH (store:Store {key: $namespace + '/store', namespace: $namespace})
WHERE store.lease = $holder
REMOVE store.lease, store.lease_until
RETURN count(*) AS released
