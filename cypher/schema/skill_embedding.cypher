// Approximate nearest neighbours among the vectors of Skill.
// params: options
// returns:
CREATE VECTOR INDEX skill_embedding IF NOT EXISTS FOR (n:Skill) ON n.embedding OPTIONS $options
