// Approximate nearest neighbours among the vectors of Policy.
// params: options
// returns:
CREATE VECTOR INDEX policy_embedding IF NOT EXISTS FOR (n:Policy) ON n.embedding OPTIONS $options
