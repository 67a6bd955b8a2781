// Note that some domains are to be folded without episodes that are being forgotten.
// params: namespace, domains
// returns: written
MATCH (store:Store {key: $namespace + '/store', namespace: $namespace})
SET store.forgetting = coalesce(store.forgetting, []) + [d IN $domains WHERE NOT d IN coalesce(store.forgetting, [])]
RETURN count(*) AS written
