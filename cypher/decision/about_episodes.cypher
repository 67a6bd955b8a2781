// Link decisions to the episodes they are about.
// params: namespace, rows
// returns: written
UNWIND $rows AS row
MATCH (d:Decision {key: row.key, namespace: $namespace})
MATCH (e:Episode {key: row.to, namespace: $namespace})
MERGE (d)-[:ABOUT]->(e)
RETURN count(*) AS written
