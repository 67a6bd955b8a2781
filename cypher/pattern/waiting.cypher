// The different trajectories that wait in some buckets, by the sign of their evidence.
// params: namespace, patterns, v_min
// returns: pattern, is_positive, trajectories
UNWIND $patterns AS pattern
MATCH (b:Pattern {key: pattern, namespace: $namespace})<-[:CANDIDATE_FOR]-(e:Evidence)<-[:HAS_STEP]-(episode:Episode)
WHERE round(e.value, 12) >= $v_min OR round(e.value, 12) <= -$v_min
WITH b, e.value > 0 AS is_positive, collect(DISTINCT episode.trajectory_sha256) AS trajectories
RETURN b.id AS pattern, is_positive, trajectories
ORDER BY pattern, is_positive
