// The fields that a skill lacks: a list without entries and blank text count as missing.
// params: namespace, key
// returns: witness
MATCH (s:Skill {key: $key, namespace: $namespace})
OPTIONAL MATCH (s)-[c:CITES]->(:Evidence)
WITH s, sum(CASE WHEN c.role = 'example' AND c.is_shown THEN 1 ELSE 0 END) AS examples
OPTIONAL MATCH (s)-[:REQUIRES]->(t:Tool)
WITH s, examples, count(t) AS tools
UNWIND [
  {field: 'name', filled: trim(coalesce(s.name, '')) <> ''},
  {field: 'preconditions', filled: any(text IN coalesce(s.preconditions, []) WHERE trim(text) <> '')},
  {field: 'procedure', filled: NOT trim(coalesce(s.procedure, '')) IN ['', '[]']},
  {field: 'examples', filled: examples > 0},
  {field: 'tools', filled: tools > 0},
  {field: 'decision_guidance', filled: trim(coalesce(s.decision_guidance, '')) <> ''},
  {field: 'verification', filled: trim(coalesce(s.verification, '')) <> ''},
  {field: 'boundary', filled: trim(coalesce(s.boundary, '')) <> ''}
] AS claim
WITH claim
WHERE NOT claim.filled
RETURN claim.field AS witness
ORDER BY witness
