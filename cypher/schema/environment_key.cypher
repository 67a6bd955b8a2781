// Keys of EnvEntity are unique in a database.
// params:
// returns:
CREATE CONSTRAINT environment_key IF NOT EXISTS FOR (n:EnvEntity) REQUIRE n.key IS UNIQUE
