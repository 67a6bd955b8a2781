// The episodes of some keys, a source, a domain or from before a time: all that is given must fit.
// params: namespace, keys, source, domain, before
// returns: key, id, domain, origin, sequence, is_learned, step_count
MATCH (e:Episode {namespace: $namespace})
WHERE ($keys IS NULL OR e.key IN $keys) AND ($source IS NULL OR e.source = $source)
  AND ($domain IS NULL OR e.domain = $domain)
  AND ($before IS NULL OR coalesce(e.ended_at, e.started_at, e.created_at) < $before)
RETURN e.key AS key, e.id AS id, e.domain AS domain, e.origin AS origin, e.sequence AS sequence,
       e.is_learned AS is_learned, e.step_count AS step_count
ORDER BY key
