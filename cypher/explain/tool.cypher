// A tool and how its calls went.
// params: namespace, key
// returns: name, kind, calls, errors, episodes
MATCH (t:Tool {key: $key, namespace: $namespace})
OPTIONAL MATCH (ep:Episode)-[:HAS_STEP]->(e:Evidence)-[:CALLED]->(t)
RETURN t.name AS name, t.kind AS kind, count(e) AS calls, sum(CASE WHEN e.is_error THEN 1 ELSE 0 END) AS errors,
       count(DISTINCT ep) AS episodes
