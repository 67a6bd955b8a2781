// Close the gaps among the places of trials; a reported one is named for its place.
// params: namespace, gone, first
// returns: written
MATCH (n:Trial {namespace: $namespace})
WHERE n.sequence > $first
WITH n, n.sequence AS old, n.sequence - size([g IN $gone WHERE g < n.sequence]) AS new
ORDER BY old
SET n.sequence = new,
    n.id = CASE WHEN n.basis = 'observed' THEN n.id ELSE left(n.id, size(n.id) - size(toString(old))) + toString(new) END
SET n.key = $namespace + '/' + n.id
RETURN count(*) AS written
