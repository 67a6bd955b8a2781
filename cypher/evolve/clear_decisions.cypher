// Delete some of the decisions that learning made about a domain's policies and skills.
// params: namespace, domain, limit
// returns: written
MATCH (d:Decision {namespace: $namespace, author: 'msce_graph'})-[:ABOUT]->(n:Policy|Skill {domain: $domain})
WITH DISTINCT d LIMIT $limit
DETACH DELETE d
RETURN count(*) AS written
