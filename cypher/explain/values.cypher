// What the steps of an episode are worth, first to last.
// params: namespace, key
// returns: index, tool, is_error, alpha, value
MATCH (:Episode {key: $key, namespace: $namespace})-[:HAS_STEP]->(e:Evidence)
RETURN e.index AS index, e.tool AS tool, e.is_error AS is_error, e.alpha AS alpha, e.value AS value
ORDER BY index
