// What gate 1 asks of a policy.
// params: namespace, id
// returns: status, stance, gain, q, support
MATCH (p:Policy {key: $namespace + '/' + $id, namespace: $namespace})
RETURN p.status AS status, p.stance AS stance, p.gain AS gain, p.q AS q, p.support AS support
