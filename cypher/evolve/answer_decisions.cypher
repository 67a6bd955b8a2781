// Mark what people decided as taken in, with what came of it.
// params: namespace, rows
// returns: written
UNWIND $rows AS row
MATCH (r:Decision {key: row.key, namespace: $namespace})
SET r.is_pending = null, r.before = row.before, r.after = row.after
RETURN count(*) AS written
