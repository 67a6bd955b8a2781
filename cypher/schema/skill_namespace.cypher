// Look-ups of Skill within a namespace.
// params:
// returns:
CREATE INDEX skill_namespace IF NOT EXISTS FOR (n:Skill) ON (n.namespace)
