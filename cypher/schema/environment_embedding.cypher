// Approximate nearest neighbours among the vectors of EnvEntity.
// params: options
// returns:
CREATE VECTOR INDEX environment_embedding IF NOT EXISTS FOR (n:EnvEntity) ON n.embedding OPTIONS $options
