// Approximate nearest neighbours among the vectors of Evidence.
// params: options
// returns:
CREATE VECTOR INDEX evidence_embedding IF NOT EXISTS FOR (n:Evidence) ON n.embedding OPTIONS $options
