// The vectors of some policies.
// params: namespace, policies
// returns: id, embedding
UNWIND $policies AS policy
MATCH (p:Policy {key: policy, namespace: $namespace})
RETURN p.id AS id, p.embedding AS embedding
ORDER BY id
