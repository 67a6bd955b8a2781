// The episode that was the input of a sequence.
// params: namespace, sequence
// returns: key
MATCH (e:Episode {namespace: $namespace, sequence: $sequence})
RETURN e.key AS key
ORDER BY key
