// Look-ups of Pattern by domain, within a namespace.
// params:
// returns:
CREATE INDEX pattern_domain IF NOT EXISTS FOR (n:Pattern) ON (n.namespace, n.domain)
