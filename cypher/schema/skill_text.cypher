// Full-text search in Skill title and description.
// params:
// returns:
CREATE FULLTEXT INDEX skill_text IF NOT EXISTS FOR (n:Skill) ON EACH [n.title, n.description]
