// Take the tallies of a domain's tasks back.
// params: namespace, domain
// returns: written
MATCH (t:Task {namespace: $namespace, domain: $domain})
WHERE t.episodes > 0
SET t.episodes = 0, t.solved = 0, t.total = 0.0, t.squares = 0.0
RETURN count(*) AS written
