// Domains that have an episode or a policy.
// params: namespace
// returns: domain
MATCH (n:Episode|Policy {namespace: $namespace})
RETURN DISTINCT n.domain AS domain
ORDER BY domain
