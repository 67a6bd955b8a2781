// What some steps are worth, and when they happened as far as is known.
// params: namespace, keys
// returns: key, value, happened_at
UNWIND $keys AS wanted
MATCH (e:Evidence {key: wanted, namespace: $namespace})
MATCH (e)<-[:HAS_STEP]-(ep:Episode)
WHERE e.value IS NOT NULL
RETURN e.key AS key, e.value AS value, coalesce(e.occurred_at, ep.ended_at, e.created_at) AS happened_at
ORDER BY key
