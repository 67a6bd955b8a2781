// Join steps to the earlier steps that their arguments came from; a text has no path, and MERGE takes no null.
// params: namespace, rows
// returns: written
UNWIND $rows AS row
MATCH (step:Evidence {key: row.key, namespace: $namespace})
MATCH (source:Evidence {key: row.to, namespace: $namespace})
OPTIONAL MATCH (step)-[known:DERIVES_FROM {argument: row.argument}]->(source)
WHERE coalesce(known.path, '') = coalesce(row.path, '')
FOREACH (missing IN CASE WHEN known IS NULL THEN [1] ELSE [] END |
  CREATE (step)-[:DERIVES_FROM {argument: row.argument, path: row.path}]->(source))
RETURN count(*) AS written
