// What the fold carries of each policy of a domain, but for its evidence.
// params: namespace, domain
// returns: id, tool, error_signature, stance, status, revision, stable_for, settled, support, resolved, attempts, procedure, gain, gain_low, gain_high, episodes_with, episodes_without, p, q, tally, pattern
MATCH (p:Policy {namespace: $namespace, domain: $domain})-[:INDUCED_FROM]->(b:Pattern)
RETURN p.id AS id, p.tool AS tool, p.error_signature AS error_signature, p.stance AS stance, p.status AS status,
       p.revision AS revision, p.stable_for AS stable_for, p.settled AS settled, p.support AS support, p.resolved AS resolved,
       p.attempts AS attempts, p.procedure AS procedure, p.gain AS gain, p.gain_low AS gain_low,
       p.gain_high AS gain_high, p.episodes_with AS episodes_with, p.episodes_without AS episodes_without,
       p.p AS p, p.q AS q, p.tally AS tally, b.id AS pattern
ORDER BY id
