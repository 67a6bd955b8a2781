// How many episodes of a domain's pool are not trusted.
// params: namespace, domain
// returns: episodes
MATCH (e:Episode {namespace: $namespace, domain: $domain})
WHERE e.is_learned AND e.tool_steps > 0 AND (e.origin <> 'own' OR e.reward_basis = 'self_reported')
RETURN count(*) AS episodes
