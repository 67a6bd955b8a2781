// What was told of a domain's skills and policies that no longer follow from any evidence.
// params: namespace, domain
// returns: key, sequence
MATCH (n:Policy|Skill {namespace: $namespace, domain: $domain})<-[:ABOUT|OF]-(r:Decision|Feedback|Trial)
WHERE n.status IS NULL
RETURN DISTINCT r.key AS key, r.sequence AS sequence
ORDER BY sequence, key
