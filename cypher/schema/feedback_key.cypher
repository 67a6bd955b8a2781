// Keys of Feedback are unique in a database.
// params:
// returns:
CREATE CONSTRAINT feedback_key IF NOT EXISTS FOR (n:Feedback) REQUIRE n.key IS UNIQUE
