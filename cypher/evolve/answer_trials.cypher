// Mark reported trials as taken in.
// params: namespace, rows
// returns: written
UNWIND $rows AS row
MATCH (r:Trial {key: row.key, namespace: $namespace})
SET r.is_pending = null
RETURN count(*) AS written
