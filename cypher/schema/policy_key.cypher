// Keys of Policy are unique in a database.
// params:
// returns:
CREATE CONSTRAINT policy_key IF NOT EXISTS FOR (n:Policy) REQUIRE n.key IS UNIQUE
