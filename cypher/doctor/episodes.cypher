// How many episodes have an outcome, and how many of those the fold has taken in.
// params: namespace
// returns: episodes, scored, learned
MATCH (e:Episode {namespace: $namespace})
RETURN count(e) AS episodes, sum(CASE WHEN e.reward IS NULL THEN 0 ELSE 1 END) AS scored,
       sum(CASE WHEN e.is_learned THEN 1 ELSE 0 END) AS learned
