// Look-ups of Skill by domain, within a namespace.
// params:
// returns:
CREATE INDEX skill_domain IF NOT EXISTS FOR (n:Skill) ON (n.namespace, n.domain)
