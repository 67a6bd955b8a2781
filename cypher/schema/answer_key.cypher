// Keys of Answer are unique in a database.
// params:
// returns:
CREATE CONSTRAINT answer_key IF NOT EXISTS FOR (n:Answer) REQUIRE n.key IS UNIQUE
