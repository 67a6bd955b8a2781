// The places among the inputs that decisions of people about episodes have.
// params: namespace
// returns: sequence
MATCH (d:Decision {namespace: $namespace, action: 'trust'})
RETURN DISTINCT d.sequence AS sequence
ORDER BY sequence
