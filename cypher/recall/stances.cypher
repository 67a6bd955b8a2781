// The stances of some policies.
// params: namespace, keys
// returns: key, stance
UNWIND $keys AS wanted
MATCH (p:Policy {key: wanted, namespace: $namespace})
RETURN p.key AS key, p.stance AS stance
ORDER BY key
