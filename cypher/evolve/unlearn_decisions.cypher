// Mark what people decided of a domain's skills and policies as not yet taken in.
// params: namespace, domain
// returns: written
MATCH (n:Policy|Skill {namespace: $namespace, domain: $domain})<-[:ABOUT]-(d:Decision)
WHERE d.author <> 'msce_graph'
SET d.is_pending = true
RETURN count(*) AS written
