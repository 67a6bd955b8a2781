// Delete some of the trials of a domain's skills that episodes showed.
// params: namespace, domain, limit
// returns: written
MATCH (s:Skill {namespace: $namespace, domain: $domain})<-[:OF]-(t:Trial {basis: 'observed'})
WITH t LIMIT $limit
DETACH DELETE t
RETURN count(*) AS written
