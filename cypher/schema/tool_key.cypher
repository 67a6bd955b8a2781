// Keys of Tool are unique in a database.
// params:
// returns:
CREATE CONSTRAINT tool_key IF NOT EXISTS FOR (n:Tool) REQUIRE n.key IS UNIQUE
