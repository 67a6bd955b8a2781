// Full-text search in Evidence text.
// params:
// returns:
CREATE FULLTEXT INDEX evidence_text IF NOT EXISTS FOR (n:Evidence) ON EACH [n.text]
