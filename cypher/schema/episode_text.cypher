// Full-text search in Episode task.
// params:
// returns:
CREATE FULLTEXT INDEX episode_text IF NOT EXISTS FOR (n:Episode) ON EACH [n.task]
