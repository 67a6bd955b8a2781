// Look-ups of Decision by what they are about, within a namespace.
// params:
// returns:
CREATE INDEX decision_subject IF NOT EXISTS FOR (n:Decision) ON (n.namespace, n.subject)
