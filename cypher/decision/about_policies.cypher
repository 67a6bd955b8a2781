// Link decisions to the policies they are about.
// params: namespace, rows
// returns: written
UNWIND $rows AS row
MATCH (d:Decision {key: row.key, namespace: $namespace})
MATCH (p:Policy {key: row.to, namespace: $namespace})
MERGE (d)-[:ABOUT]->(p)
RETURN count(*) AS written
