// Remove the vector index of evidence, to make room for vectors of another size.
// params:
// returns:
DROP INDEX evidence_embedding IF EXISTS
