// The policies of a namespace, of one domain or status where one is given, by gain.
// params: namespace, domain, status
// returns: namespace, id, created_at, domain, tool, error_signature, stance, title, trigger, procedure, verification, fallback, boundary, support, gain, gain_low, gain_high, p, q, episodes_with, episodes_without, resolved, attempts, status, revision, stable_for, settled, worded_by
MATCH (p:Policy {namespace: $namespace})
WHERE p.status IS NOT NULL AND ($domain IS NULL OR p.domain = $domain) AND ($status IS NULL OR p.status = $status)
RETURN p.namespace AS namespace, p.id AS id, p.created_at AS created_at, p.domain AS domain, p.tool AS tool,
       p.error_signature AS error_signature, p.stance AS stance, p.title AS title, p.trigger AS trigger,
       p.procedure AS procedure, p.verification AS verification, p.fallback AS fallback,
       p.boundary AS boundary, p.support AS support, p.gain AS gain, p.gain_low AS gain_low,
       p.gain_high AS gain_high, p.p AS p, p.q AS q, p.episodes_with AS episodes_with,
       p.episodes_without AS episodes_without, p.resolved AS resolved, p.attempts AS attempts,
       p.status AS status, p.revision AS revision, p.stable_for AS stable_for,
       p.settled AS settled, p.worded_by AS worded_by
ORDER BY domain, stance DESC, gain DESC, id
