// Delete some of a domain's skills.
// params: namespace, domain, limit
// returns: written
MATCH (s:Skill {namespace: $namespace, domain: $domain})
WITH s LIMIT $limit
DETACH DELETE s
RETURN count(*) AS written
