// The sequence of the last episode of a domain that was taken in.
// params: namespace, domain
// returns: sequence
MATCH (e:Episode {namespace: $namespace, domain: $domain})
WHERE e.is_learned
RETURN max(e.sequence) AS sequence
