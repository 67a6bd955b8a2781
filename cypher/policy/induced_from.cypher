// Link policies to the pattern whose bucket they came from.
// params: namespace, rows
// returns: written
UNWIND $rows AS row
MATCH (p:Policy {key: row.key, namespace: $namespace})
MATCH (b:Pattern {key: row.to, namespace: $namespace})
MERGE (p)-[:INDUCED_FROM]->(b)
RETURN count(*) AS written
