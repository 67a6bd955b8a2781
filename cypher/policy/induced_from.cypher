// Link policies to the pattern whose bucket they came from and to the tool they use.
// params: namespace, rows
// returns: written
UNWIND $rows AS row
MATCH (p:Policy {key: row.key, namespace: $namespace})
MATCH (b:Pattern {key: row.to, namespace: $namespace})
MATCH (t:Tool {key: row.tool, namespace: $namespace})
MERGE (p)-[:INDUCED_FROM]->(b)
MERGE (p)-[:USES]->(t)
RETURN count(*) AS written
