// Take all that a draft which failed a check says and leads to, where it was not deleted.
// params: namespace, key
// returns: written
MATCH (s:Skill {key: $key, namespace: $namespace})
OPTIONAL MATCH (s)-[r:CRYSTALLIZED_FROM|CITES|REQUIRES|RESPECTS|SUPERSEDES|WAS_GENERATED_BY]->()
DELETE r
WITH DISTINCT s
SET s = {key: s.key, namespace: s.namespace, id: s.id, domain: s.domain, created_at: s.created_at}
RETURN count(*) AS written
