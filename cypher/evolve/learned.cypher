// Mark episodes as taken in by the fold.
// params: namespace, rows
// returns: written
UNWIND $rows AS row
MATCH (e:Episode {key: row.key, namespace: $namespace})
SET e.is_learned = true
RETURN count(*) AS written
