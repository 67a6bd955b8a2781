// Delete some of a domain's skills, but for those that an input is about.
// params: namespace, domain, limit
// returns: written
MATCH (s:Skill {namespace: $namespace, domain: $domain})
WHERE NOT (s)<-[:OFFERED]-() AND NOT (s)<-[:OF]-() AND NOT (s)<-[:ABOUT]-()
WITH s LIMIT $limit
DETACH DELETE s
RETURN count(*) AS written
