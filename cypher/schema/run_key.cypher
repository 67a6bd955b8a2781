// Keys of Run are unique in a database.
// params:
// returns:
CREATE CONSTRAINT run_key IF NOT EXISTS FOR (n:Run) REQUIRE n.key IS UNIQUE
