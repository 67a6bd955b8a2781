// Keys of Skill are unique in a database.
// params:
// returns:
CREATE CONSTRAINT skill_key IF NOT EXISTS FOR (n:Skill) REQUIRE n.key IS UNIQUE
