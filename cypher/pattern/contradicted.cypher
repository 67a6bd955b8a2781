// The different trajectories of evidence against the policies of some patterns: what could induce the other stance.
// params: namespace, patterns
// returns: pattern, stance, trajectories
UNWIND $patterns AS pattern
MATCH (b:Pattern {key: pattern, namespace: $namespace})<-[:INDUCED_FROM]-(p:Policy)<-[:CONTRADICTS]-(:Evidence)<-[:HAS_STEP]-(episode:Episode)
WITH b, p, collect(DISTINCT episode.trajectory_sha256) AS trajectories
RETURN b.id AS pattern, p.stance AS stance, trajectories
ORDER BY pattern, stance
