// Full-text search in EnvEntity name and statement.
// params:
// returns:
CREATE FULLTEXT INDEX environment_text IF NOT EXISTS FOR (n:EnvEntity) ON EACH [n.name, n.statement]
