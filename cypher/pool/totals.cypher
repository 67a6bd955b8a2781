// The sums of a domain's pool over its tasks: gain.py says what each is for.
// params: namespace, domain
// returns: tasks, episodes, total, adjusted, square_constant, square_linear, square_quadratic, singles, singles_solved
MATCH (t:Task {namespace: $namespace, domain: $domain})
WHERE t.episodes > 0
WITH t.episodes AS n, t.total AS s, t.squares AS q, t.solved AS k, 1.0 / t.episodes AS r
RETURN count(*) AS tasks, sum(n) AS episodes, sum(s) AS total, sum(s * r) AS adjusted,
       sum((1.0 + r) * (1.0 + r) * q - (r + 2.0 * r * r) * s * s) AS square_constant,
       sum(-2.0 * r * r * s) AS square_linear,
       sum(r) AS square_quadratic,
       sum(CASE WHEN n = 1 THEN 1 ELSE 0 END) AS singles,
       sum(CASE WHEN n = 1 THEN k ELSE 0 END) AS singles_solved
