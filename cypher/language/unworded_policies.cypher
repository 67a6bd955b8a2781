// Active policies that have their deterministic words, the ones with most to gain or lose first.
// params: namespace
// returns: key, id, stance, title, trigger, verification, fallback, boundary, procedure
MATCH (p:Policy {namespace: $namespace})
WHERE p.status = 'active' AND p.title IS NOT NULL AND coalesce(p.worded_by, 'deterministic') = 'deterministic'
RETURN p.key AS key, p.id AS id, p.stance AS stance, p.title AS title, p.trigger AS trigger,
       p.verification AS verification, p.fallback AS fallback, p.boundary AS boundary, p.procedure AS procedure
ORDER BY abs(coalesce(p.gain, 0.0)) DESC, key
