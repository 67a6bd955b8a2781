// Look-ups of Episode by domain, within a namespace.
// params:
// returns:
CREATE INDEX episode_domain IF NOT EXISTS FOR (n:Episode) ON (n.namespace, n.domain)
