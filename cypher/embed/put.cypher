// Give steps their vectors.
// params: namespace, rows
// returns: written
UNWIND $rows AS row
MATCH (e:Evidence {key: row.key, namespace: $namespace})
SET e.embedding = row.embedding
RETURN count(*) AS written
