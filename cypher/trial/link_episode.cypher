// Link reported uses of skills to the episodes that they were seen in.
// params: namespace, rows
// returns: written
UNWIND $rows AS row
MATCH (t:Trial {key: row.key, namespace: $namespace})
MATCH (e:Episode {key: row.to, namespace: $namespace})
MERGE (t)-[:IN]->(e)
RETURN count(*) AS written
