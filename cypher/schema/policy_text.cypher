// Full-text search in Policy title and trigger.
// params:
// returns:
CREATE FULLTEXT INDEX policy_text IF NOT EXISTS FOR (n:Policy) ON EACH [n.title, n.trigger]
