// Record the parameters that the graph is built with.
// params: namespace, settings
// returns: settings
MATCH (store:Store {key: $namespace + '/store', namespace: $namespace})
SET store.settings = $settings
RETURN store.settings AS settings
