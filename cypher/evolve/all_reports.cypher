// What was told of a domain's skills and policies, but for uses seen in some episodes.
// params: namespace, domain, without
// returns: key, kind, sequence, subject, told, exclusion
MATCH (s:Skill {namespace: $namespace, domain: $domain})<-[:OF]-(r:Trial)
WHERE r.basis <> 'observed' AND NOT EXISTS { MATCH (r)-[:IN]->(e:Episode) WHERE e.key IN $without }
RETURN r.key AS key, 'trials' AS kind, r.sequence AS sequence, s.id AS subject,
       CASE WHEN r.passed THEN 'pass' ELSE 'fail' END AS told, '' AS exclusion
UNION ALL
MATCH (s:Skill {namespace: $namespace, domain: $domain})<-[:ABOUT]-(r:Feedback)
RETURN r.key AS key, 'feedback' AS kind, r.sequence AS sequence, s.id AS subject, r.kind AS told,
       coalesce(r.exclusion, '') AS exclusion
UNION ALL
MATCH (s:Skill|Policy {namespace: $namespace, domain: $domain})<-[:ABOUT]-(r:Decision)
WHERE r.author <> 'msce_graph'
RETURN r.key AS key, 'decisions' AS kind, r.sequence AS sequence, s.id AS subject, r.action AS told, '' AS exclusion
