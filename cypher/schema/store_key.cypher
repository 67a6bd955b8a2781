// Keys of Store are unique in a database.
// params:
// returns:
CREATE CONSTRAINT store_key IF NOT EXISTS FOR (n:Store) REQUIRE n.key IS UNIQUE
