// The episodes of some domains that are being forgotten, with their tasks.
// params: namespace, domains
// returns: key, domain, sequence, tasks
UNWIND $domains AS domain
MATCH (e:Episode {namespace: $namespace, domain: domain})
WHERE e.is_forgotten
OPTIONAL MATCH (e)-[:ATTEMPTS]->(task:Task)
RETURN e.key AS key, e.domain AS domain, e.sequence AS sequence, collect(DISTINCT task.key) AS tasks
ORDER BY key
