// Look-ups of Evidence within a namespace.
// params:
// returns:
CREATE INDEX evidence_namespace IF NOT EXISTS FOR (n:Evidence) ON (n.namespace)
