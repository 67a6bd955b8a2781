// The skills that respect a statement about the environment.
// params: namespace, key
// returns: key, title, status, how
MATCH (:EnvEntity {key: $key, namespace: $namespace})<-[r:RESPECTS]-(s:Skill)
RETURN s.key AS key, s.name AS title, s.status AS status, type(r) AS how
ORDER BY key
