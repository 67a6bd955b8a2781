// Note that no reflection is graded by a model any more.
// params: namespace
// returns: written
MATCH (e:Evidence {namespace: $namespace})
WHERE e.graded_by IS NOT NULL
REMOVE e.graded_by
RETURN count(*) AS written
