// Give episodes another origin.
// params: namespace, rows, origin
// returns: written
UNWIND $rows AS row
MATCH (e:Episode {key: row.key, namespace: $namespace})
SET e.origin = $origin
RETURN count(*) AS written
