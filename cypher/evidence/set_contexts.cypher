// Keep with steps what was so when they were taken.
// params: namespace, rows
// returns: written
UNWIND $rows AS row
MATCH (e:Evidence {key: row.key, namespace: $namespace})
SET e.context = row.context
RETURN count(*) AS written
