// Take all that was derived from a domain's policies, and leave what inputs are about: a key without a status.
// params: namespace, domain
// returns: written
MATCH (p:Policy {namespace: $namespace, domain: $domain})
WHERE p.status IS NOT NULL
OPTIONAL MATCH (p)-[r:INDUCED_FROM|USES|MEASURED_ON|WAS_GENERATED_BY]->()
DELETE r
WITH DISTINCT p
OPTIONAL MATCH (p)<-[r:SUPPORTS|CONTRADICTS|BORDERS|ABSTRACTED_FROM|CONSTRAINS]-()
DELETE r
WITH DISTINCT p
SET p = {key: p.key, namespace: p.namespace, id: p.id, domain: p.domain, created_at: p.created_at}
RETURN count(*) AS written
