// What this namespace was built with, and how far its inputs are counted.
// params: namespace
// returns: schema_version, embedder, dimensions, settings, sequence
MATCH (store:Store {key: $namespace + '/store', namespace: $namespace})
RETURN store.schema_version AS schema_version, store.embedder AS embedder, store.dimensions AS dimensions,
  store.settings AS settings, store.sequence AS sequence
