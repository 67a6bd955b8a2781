// Every index of the database and whether it can be used.
// params:
// returns: name, type, state
SHOW INDEXES YIELD name, type, state
RETURN name, type, state
ORDER BY name
