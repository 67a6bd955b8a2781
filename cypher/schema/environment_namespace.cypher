// Look-ups of EnvEntity within a namespace.
// params:
// returns:
CREATE INDEX environment_namespace IF NOT EXISTS FOR (n:EnvEntity) ON (n.namespace)
