// Take back what was kept with the steps of a domain for contrast, some of them at a time.
// params: namespace, domain, limit
// returns: written
MATCH (:Episode {namespace: $namespace, domain: $domain})-[:HAS_STEP]->(e:Evidence)
WHERE e.context IS NOT NULL
WITH e LIMIT $limit
SET e.context = null
RETURN count(*) AS written
