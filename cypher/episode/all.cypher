// All episodes, in the order of their keys.
// params: namespace
// returns: key, reward, task
MATCH (e:Episode {namespace: $namespace})
RETURN e.key AS key, e.reward AS reward, e.task AS task
ORDER BY key
