// Delete a domain's skills and policies that no longer follow from any evidence.
// params: namespace, domain
// returns: written
MATCH (n:Policy|Skill {namespace: $namespace, domain: $domain})
WHERE n.status IS NULL
DETACH DELETE n
RETURN count(*) AS written
