// Set how much reflections weigh, who graded them, and what steps are worth.
// params: namespace, rows
// returns: written
UNWIND $rows AS row
MATCH (e:Evidence {key: row.key, namespace: $namespace})
SET e.alpha = row.alpha, e.value = row.value, e.graded_by = row.graded_by
RETURN count(*) AS written
