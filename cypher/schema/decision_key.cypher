// Keys of Decision are unique in a database.
// params:
// returns:
CREATE CONSTRAINT decision_key IF NOT EXISTS FOR (n:Decision) REQUIRE n.key IS UNIQUE
