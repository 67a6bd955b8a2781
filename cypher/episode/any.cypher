// One episode, if there is any.
// params: namespace
// returns: key
MATCH (e:Episode {namespace: $namespace})
RETURN e.key AS key
ORDER BY key
LIMIT 1
