// Empty the buckets of patterns that a policy was induced from.
// params: namespace, patterns
// returns: written
UNWIND $patterns AS pattern
MATCH (:Evidence)-[r:CANDIDATE_FOR]->(:Pattern {key: pattern, namespace: $namespace})
DELETE r
RETURN count(*) AS written
