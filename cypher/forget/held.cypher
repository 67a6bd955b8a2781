// The places among the inputs that decisions of people about episodes have.
// params: namespace
// returns: sequence
MATCH (d:Decision {namespace: $namespace})
WHERE d.action IN ['trust', 'outcome']
RETURN DISTINCT d.sequence AS sequence
ORDER BY sequence
