// Keys of Trial are unique in a database.
// params:
// returns:
CREATE CONSTRAINT trial_key IF NOT EXISTS FOR (n:Trial) REQUIRE n.key IS UNIQUE
