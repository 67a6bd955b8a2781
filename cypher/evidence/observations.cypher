// What some steps observed.
// params: namespace, keys
// returns: key, observation, is_error
UNWIND $keys AS wanted
MATCH (e:Evidence {key: wanted, namespace: $namespace})
RETURN e.key AS key, e.observation AS observation, e.is_error AS is_error
ORDER BY key
