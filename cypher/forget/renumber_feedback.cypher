// Close the gaps among the places of feedback, which is named for its place.
// params: namespace, gone, first
// returns: written
MATCH (n:Feedback {namespace: $namespace})
WHERE n.sequence > $first
WITH n, n.sequence AS old, n.sequence - size([g IN $gone WHERE g < n.sequence]) AS new
ORDER BY old
SET n.sequence = new,
    n.id = left(n.id, size(n.id) - size(toString(old) + '/feedback')) + toString(new) + '/feedback'
SET n.key = $namespace + '/' + n.id
RETURN count(*) AS written
