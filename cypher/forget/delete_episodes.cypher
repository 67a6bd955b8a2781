// Delete episodes, whose steps are gone.
// params: namespace, keys
// returns: written
UNWIND $keys AS key
MATCH (e:Episode {key: key, namespace: $namespace})
DETACH DELETE e
RETURN count(*) AS written
