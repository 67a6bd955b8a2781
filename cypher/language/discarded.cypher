// Why words of a language model for some policies and skills were discarded before.
// params: namespace, keys, action
// returns: key, reason
UNWIND $keys AS wanted
MATCH (d:Decision {namespace: $namespace, subject: wanted})
WHERE d.action = $action
RETURN wanted AS key, d.reason AS reason
ORDER BY key, reason
