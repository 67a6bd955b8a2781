// The evidence of a policy, of the newest episodes first, with what people and agents wrote beside it.
// params: namespace, key, limit
// returns: key, sequence, index, task, state, reflection, observation
MATCH (p:Policy {key: $key, namespace: $namespace})
MATCH (p)<-[:SUPPORTS|CONTRADICTS|BORDERS]-(e:Evidence)<-[:HAS_STEP]-(ep:Episode)
RETURN e.key AS key, ep.sequence AS sequence, e.index AS index, ep.task AS task, e.state AS state,
       e.reflection AS reflection, e.observation AS observation
ORDER BY sequence DESC, index DESC
LIMIT $limit
