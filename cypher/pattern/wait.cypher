// Put evidence into the bucket of its pattern.
// params: namespace, rows
// returns: written
UNWIND $rows AS row
MATCH (e:Evidence {key: row.key, namespace: $namespace})
MATCH (p:Pattern {key: row.to, namespace: $namespace})
MERGE (e)-[r:CANDIDATE_FOR]->(p)
SET r.segment = row.segment, r.resolved = row.resolved
RETURN count(*) AS written
