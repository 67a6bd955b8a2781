// Record the embedding model that the vectors come from.
// params: namespace, embedder, dimensions
// returns: embedder, dimensions
MATCH (store:Store {key: $namespace + '/store', namespace: $namespace})
SET store.embedder = $embedder, store.dimensions = $dimensions
RETURN store.embedder AS embedder, store.dimensions AS dimensions
