// Delete what people decided of episodes, and return its places among the inputs.
// params: namespace, keys
// returns: sequence
UNWIND $keys AS key
MATCH (e:Episode {key: key, namespace: $namespace})<-[:ABOUT]-(d:Decision)
WITH d, d.sequence AS sequence
DETACH DELETE d
RETURN sequence
ORDER BY sequence
