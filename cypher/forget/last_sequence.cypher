// Take numbers of inputs that are gone from the count.
// params: namespace, gone
// returns: written
MATCH (store:Store {key: $namespace + '/store', namespace: $namespace})
SET store.sequence = store.sequence - $gone
RETURN count(*) AS written
