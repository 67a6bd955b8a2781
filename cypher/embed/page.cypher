// The steps that call a tool, from a key on: what their vectors are made from, and whether they have one.
// params: namespace, after, limit
// returns: key, task, tool, arguments, error_signature, is_embedded
MATCH (e:Evidence {namespace: $namespace})
WHERE e.key > $after AND e.tool IS NOT NULL
WITH e
ORDER BY e.key
LIMIT $limit
MATCH (ep:Episode)-[:HAS_STEP]->(e)
RETURN e.key AS key, ep.task AS task, e.tool AS tool, e.arguments AS arguments,
       e.error_signature AS error_signature, e.embedding IS NOT NULL AS is_embedded
ORDER BY key
