// Keys of Episode are unique in a database.
// params:
// returns:
CREATE CONSTRAINT episode_key IF NOT EXISTS FOR (n:Episode) REQUIRE n.key IS UNIQUE
