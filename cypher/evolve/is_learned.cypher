// The input of a domain with this sequence, if the fold has taken it in.
// params: namespace, domain, sequence
// returns: key
MATCH (e:Episode {namespace: $namespace, sequence: $sequence})
WHERE e.domain = $domain AND e.is_learned
RETURN e.key AS key
ORDER BY key
