// The skills that cite a step, or a step of an episode.
// params: namespace, key
// returns: key, title, status, how
MATCH (s:Skill {namespace: $namespace})-[c:CITES]->(e:Evidence)
WHERE e.key = $key OR e.key STARTS WITH $key + '#'
RETURN DISTINCT s.key AS key, s.name AS title, s.status AS status, 'CITES as ' + c.role AS how
ORDER BY key, how
