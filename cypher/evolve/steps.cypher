// The tool steps of some episodes with their vectors, in order.
// params: namespace, episodes
// returns: episode, key, index, turn, tool, is_error, error_signature, value, embedding
UNWIND $episodes AS episode
MATCH (:Episode {key: episode, namespace: $namespace})-[:HAS_STEP]->(e:Evidence)
WHERE e.tool IS NOT NULL
RETURN episode, e.key AS key, e.index AS index, e.turn AS turn, e.tool AS tool, e.is_error AS is_error,
       e.error_signature AS error_signature, e.value AS value, e.embedding AS embedding
ORDER BY episode, index
