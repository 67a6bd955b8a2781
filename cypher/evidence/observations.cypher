// What some steps observed.
// params: namespace, keys
// returns: key, observation
UNWIND $keys AS wanted
MATCH (e:Evidence {key: wanted, namespace: $namespace})
RETURN e.key AS key, e.observation AS observation
ORDER BY key
