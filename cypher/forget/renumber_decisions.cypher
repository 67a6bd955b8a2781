// Close the gaps among the places of decisions, which are named for theirs.
// params: namespace, gone, first
// returns: written
MATCH (n:Decision {namespace: $namespace})
WHERE n.sequence > $first
WITH n, n.sequence AS old, n.sequence - size([g IN $gone WHERE g < n.sequence]) AS new
ORDER BY old
SET n.sequence = new,
    n.id = left(n.id, size(n.id) - size(toString(old) + '/' + n.action)) + toString(new) + '/' + n.action
SET n.key = $namespace + '/' + n.id
RETURN count(*) AS written
