// What was told of a domain's skills and policies, and is not taken in yet.
// params: namespace, domain
// returns: key, kind, sequence, subject, told, exclusion
MATCH (r:Trial {is_pending: true, namespace: $namespace})-[:OF]->(s:Skill {domain: $domain})
RETURN r.key AS key, 'trials' AS kind, r.sequence AS sequence, s.id AS subject, CASE WHEN r.passed THEN 'pass' ELSE 'fail' END AS told,
       '' AS exclusion
UNION ALL
MATCH (r:Feedback {is_pending: true, namespace: $namespace})-[:ABOUT]->(s:Skill {domain: $domain})
RETURN r.key AS key, 'feedback' AS kind, r.sequence AS sequence, s.id AS subject, r.kind AS told, coalesce(r.exclusion, '') AS exclusion
UNION ALL
MATCH (r:Decision {is_pending: true, namespace: $namespace})-[:ABOUT]->(s:Skill|Policy {domain: $domain})
RETURN r.key AS key, 'decisions' AS kind, r.sequence AS sequence, s.id AS subject, r.action AS told, '' AS exclusion
