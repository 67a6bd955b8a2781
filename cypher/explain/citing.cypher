// The skills that cite a step, and as what.
// params: namespace, key
// returns: key, name, role
MATCH (s:Skill)-[c:CITES]->(:Evidence {key: $key, namespace: $namespace})
RETURN s.key AS key, s.name AS name, c.role AS role
ORDER BY key
