// The scored episodes, in order.
// params: namespace
// returns: key, reward
MATCH (e:Episode {namespace: $namespace})
WHERE e.reward IS NOT NULL
RETURN e.key AS key, e.reward AS reward
ORDER BY e.sequence
