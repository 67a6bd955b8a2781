// The last input that changed the status of each of some policies.
// params: namespace, policies
// returns: policy, sequence
UNWIND $policies AS policy
MATCH (p:Policy {key: policy, namespace: $namespace})
MATCH (p)<-[:ABOUT]-(d:Decision)
RETURN p.id AS policy, max(d.sequence) AS sequence
ORDER BY policy
