// How many skills there are of each status.
// params: namespace
// returns: status, skills
MATCH (s:Skill {namespace: $namespace})
RETURN s.status AS status, count(*) AS skills
ORDER BY status
