// Look-ups of Policy by domain, within a namespace.
// params:
// returns:
CREATE INDEX policy_domain IF NOT EXISTS FOR (n:Policy) ON (n.namespace, n.domain)
