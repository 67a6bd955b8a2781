// How many skills there are of each status.
// params: namespace
// returns: status, skills
MATCH (s:Skill {namespace: $namespace})
WHERE s.status IS NOT NULL
RETURN s.status AS status, count(*) AS skills
ORDER BY status
