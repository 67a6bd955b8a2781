// Take all that was derived from a domain's skills, and leave what inputs are about: a key without a status.
// params: namespace, domain
// returns: written
MATCH (s:Skill {namespace: $namespace, domain: $domain})
WHERE s.status IS NOT NULL
OPTIONAL MATCH (s)-[r:CRYSTALLIZED_FROM|CITES|REQUIRES|RESPECTS|SUPERSEDES|WAS_GENERATED_BY]->()
DELETE r
WITH DISTINCT s
SET s = {key: s.key, namespace: s.namespace, id: s.id, domain: s.domain, created_at: s.created_at}
RETURN count(*) AS written
