// Look-ups of Episode in the order of their sequence, within a namespace.
// params:
// returns:
CREATE INDEX episode_sequence IF NOT EXISTS FOR (n:Episode) ON (n.namespace, n.sequence)
