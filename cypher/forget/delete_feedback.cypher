// Delete what was said of episodes, and return its places among the inputs.
// params: namespace, keys
// returns: sequence
UNWIND $keys AS key
MATCH (e:Episode {key: key, namespace: $namespace})<-[:ABOUT]-(f:Feedback)
WITH f, f.sequence AS sequence
DETACH DELETE f
RETURN sequence
ORDER BY sequence
