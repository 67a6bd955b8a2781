// The policies of a domain that were ever active and stable, and whether they still are.
// params: namespace, domain, stable_for
// returns: id, tool, error_signature, is_current
MATCH (p:Policy {namespace: $namespace, domain: $domain})
WHERE p.settled
RETURN p.id AS id, p.tool AS tool, p.error_signature AS error_signature,
       p.status = 'active' AND p.stable_for >= $stable_for AS is_current
ORDER BY id
