// Domains with scored episodes that the fold has not taken in, and whether an earlier input changed.
// params: namespace
// returns: domain, pending, first_pending, learned, last_learned
MATCH (e:Episode {namespace: $namespace})
WHERE e.sequence IS NOT NULL AND e.reward IS NOT NULL
WITH e.domain AS domain,
     sum(CASE WHEN e.is_learned THEN 0 ELSE 1 END) AS pending,
     min(CASE WHEN e.is_learned THEN null ELSE e.sequence END) AS first_pending,
     sum(CASE WHEN e.is_learned THEN 1 ELSE 0 END) AS learned,
     max(CASE WHEN e.is_learned THEN e.sequence ELSE null END) AS last_learned
WHERE pending > 0
RETURN domain, pending, first_pending, learned, last_learned
ORDER BY domain
