// Give a namespace other parameters, by which its evidence is still to be valued.
// params: namespace, settings
// returns: written
MATCH (store:Store {key: $namespace + '/store', namespace: $namespace})
SET store.settings = $settings, store.is_revaluing = true
RETURN count(*) AS written
