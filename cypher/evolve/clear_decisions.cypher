// Delete some of the decisions about a domain's policies and skills.
// params: namespace, domain, limit
// returns: written
MATCH (d:Decision {namespace: $namespace})-[:ABOUT]->(n:Policy|Skill {domain: $domain})
WITH DISTINCT d LIMIT $limit
DETACH DELETE d
RETURN count(*) AS written
