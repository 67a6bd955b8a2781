// Close the gaps among the places of episodes.
// params: namespace, gone, first
// returns: written
MATCH (n:Episode {namespace: $namespace})
WHERE n.sequence > $first
WITH n, n.sequence AS old, n.sequence - size([g IN $gone WHERE g < n.sequence]) AS new
ORDER BY old
SET n.sequence = new
RETURN count(*) AS written
