// Keys of Pattern are unique in a database.
// params:
// returns:
CREATE CONSTRAINT pattern_key IF NOT EXISTS FOR (n:Pattern) REQUIRE n.key IS UNIQUE
