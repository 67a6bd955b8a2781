// How many policies there are of each stance and status.
// params: namespace
// returns: stance, status, policies
MATCH (p:Policy {namespace: $namespace})
WHERE p.status IS NOT NULL
RETURN p.stance AS stance, p.status AS status, count(*) AS policies
ORDER BY stance, status
