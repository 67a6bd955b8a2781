// How many stored episodes have no outcome.
// params: namespace
// returns: episodes
MATCH (e:Episode {namespace: $namespace})
WHERE e.reward IS NULL
RETURN count(*) AS episodes
