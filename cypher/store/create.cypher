// Create the Store node of a namespace, and leave one that is there as it is.
// params: namespace, now, embedder, dimensions, settings
// returns: embedder, dimensions
MERGE (store:Store {key: $namespace + '/store', namespace: $namespace})
ON CREATE SET store.id = 'store', store.created_at = $now, store.schema_version = 0, store.sequence = 0,
  store.embedder = $embedder, store.dimensions = $dimensions, store.settings = $settings
RETURN store.embedder AS embedder, store.dimensions AS dimensions
