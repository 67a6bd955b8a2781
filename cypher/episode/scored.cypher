// The scored episodes, in order.
// params: namespace
// returns: key, reward, task
MATCH (e:Episode {namespace: $namespace})
WHERE e.reward IS NOT NULL
RETURN e.key AS key, e.reward AS reward, e.task AS task
ORDER BY e.sequence
