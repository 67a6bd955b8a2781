// Remove the vector index of policy, to make room for vectors of another size.
// params:
// returns:
DROP INDEX policy_embedding IF EXISTS
