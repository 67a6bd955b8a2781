// Remove the vector index of environment, to make room for vectors of another size.
// params:
// returns:
DROP INDEX environment_embedding IF EXISTS
