// Look-ups of EnvEntity by domain, within a namespace.
// params:
// returns:
CREATE INDEX environment_domain IF NOT EXISTS FOR (n:EnvEntity) ON (n.namespace, n.domain)
