// Mark the trials of a domain's skills that were reported as not yet taken in.
// params: namespace, domain
// returns: written
MATCH (s:Skill {namespace: $namespace, domain: $domain})<-[:OF]-(t:Trial)
WHERE t.basis <> 'observed'
SET t.is_pending = true
RETURN count(*) AS written
