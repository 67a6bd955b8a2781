// Record that the schema has reached a version, never an earlier one.
// params: namespace, version
// returns: schema_version
MATCH (store:Store {key: $namespace + '/store', namespace: $namespace})
SET store.schema_version = CASE WHEN store.schema_version > $version THEN store.schema_version ELSE $version END
RETURN store.schema_version AS schema_version
