// Delete some of a domain's policies, but for those that an input is about.
// params: namespace, domain, limit
// returns: written
MATCH (p:Policy {namespace: $namespace, domain: $domain})
WHERE NOT (p)<-[:ABOUT]-()
WITH p LIMIT $limit
DETACH DELETE p
RETURN count(*) AS written
