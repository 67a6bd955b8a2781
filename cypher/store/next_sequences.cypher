// Reserve the next numbers for inputs and return the first; the lock it takes makes writers wait for each other.
// params: namespace, count
// returns: first
MATCH (store:Store {key: $namespace + '/store', namespace: $namespace})
SET store.sequence = store.sequence + $count
RETURN store.sequence - $count + 1 AS first
