// Delete the uses of skills that were seen in episodes, and return the places among the inputs of the reported ones.
// params: namespace, keys
// returns: sequence
UNWIND $keys AS key
MATCH (e:Episode {key: key, namespace: $namespace})<-[:IN]-(t:Trial)
WITH t, CASE WHEN t.basis <> 'observed' THEN t.sequence ELSE null END AS sequence
DETACH DELETE t
RETURN sequence
ORDER BY sequence
