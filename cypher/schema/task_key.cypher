// Keys of Task are unique in a database.
// params:
// returns:
CREATE CONSTRAINT task_key IF NOT EXISTS FOR (n:Task) REQUIRE n.key IS UNIQUE
