// Remove the vector index of skill, to make room for vectors of another size.
// params:
// returns:
DROP INDEX skill_embedding IF EXISTS
