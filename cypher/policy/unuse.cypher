// Let policies no longer use the tools that left their procedures.
// params: namespace, rows
// returns: removed
UNWIND $rows AS row
MATCH (p:Policy {key: row.key, namespace: $namespace})
MATCH (p)-[r:USES]->(t:Tool)
WHERE NOT t.key IN row.tools
DELETE r
RETURN count(*) AS removed
