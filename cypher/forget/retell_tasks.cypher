// Let tasks say what the first of their remaining episodes says.
// params: namespace, keys
// returns: written
UNWIND $keys AS key
MATCH (t:Task {key: key, namespace: $namespace})<-[:ATTEMPTS]-(e:Episode)
WITH t, e ORDER BY coalesce(e.sequence, 2147483647), e.created_at, e.key
WITH t, collect(e.task)[0] AS text
SET t.text = text
RETURN count(*) AS written
