// Mark the feedback on a domain's skills as not yet taken in.
// params: namespace, domain
// returns: written
MATCH (s:Skill {namespace: $namespace, domain: $domain})<-[:ABOUT]-(f:Feedback)
SET f.is_pending = true
RETURN count(*) AS written
