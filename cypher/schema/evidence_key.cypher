// Keys of Evidence are unique in a database.
// params:
// returns:
CREATE CONSTRAINT evidence_key IF NOT EXISTS FOR (n:Evidence) REQUIRE n.key IS UNIQUE
