// Link evidence that bears policies out.
// params: namespace, rows
// returns: written
UNWIND $rows AS row
MATCH (e:Evidence {key: row.key, namespace: $namespace})
MATCH (p:Policy {key: row.to, namespace: $namespace})
MERGE (e)-[r:SUPPORTS]->(p)
SET r.similarity = row.similarity, r.segment = row.segment, r.resolved = row.resolved
RETURN count(*) AS written
