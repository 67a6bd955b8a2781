// A pattern, how many steps wait in its pool, and the policies induced from it.
// params: namespace, key
// returns: id, domain, tool, error_signature, waiting, policies
MATCH (b:Pattern {key: $key, namespace: $namespace})
OPTIONAL MATCH (e:Evidence)-[:CANDIDATE_FOR]->(b)
WITH b, count(e) AS waiting
OPTIONAL MATCH (p:Policy)-[:INDUCED_FROM]->(b)
WITH b, waiting, p
ORDER BY p.key
RETURN b.id AS id, b.domain AS domain, b.tool AS tool, b.error_signature AS error_signature, waiting,
       collect(p.key) AS policies
