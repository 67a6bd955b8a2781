// Mark episodes as being forgotten.
// params: namespace, rows
// returns: written
UNWIND $rows AS row
MATCH (e:Episode {key: row.key, namespace: $namespace})
SET e.is_forgotten = true, e.is_learned = false
RETURN count(*) AS written
