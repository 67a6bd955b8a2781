// The skills that were crystallized from some policies.
// params: namespace, keys
// returns: key, title, status, how
UNWIND $keys AS wanted
MATCH (:Policy {key: wanted, namespace: $namespace})<-[r:CRYSTALLIZED_FROM]-(s:Skill)
RETURN s.key AS key, s.name AS title, s.status AS status, type(r) AS how
ORDER BY key
