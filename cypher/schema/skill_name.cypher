// Look-ups of Skill by name, within a namespace.
// params:
// returns:
CREATE INDEX skill_name IF NOT EXISTS FOR (n:Skill) ON (n.namespace, n.name)
