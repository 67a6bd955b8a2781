// Look-ups of Policy within a namespace.
// params:
// returns:
CREATE INDEX policy_namespace IF NOT EXISTS FOR (n:Policy) ON (n.namespace)
