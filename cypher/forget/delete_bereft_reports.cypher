// Delete what was told of a domain's skills and policies that no longer follow from any evidence.
// params: namespace, domain
// returns: written
MATCH (n:Policy|Skill {namespace: $namespace, domain: $domain})<-[:ABOUT|OF]-(r:Decision|Feedback|Trial)
WHERE n.status IS NULL
DETACH DELETE r
RETURN count(*) AS written
