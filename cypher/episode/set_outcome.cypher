// Give an episode its reward, and its place among the inputs.
// params: namespace, key, reward, solved, reward_basis, sequence
// returns: written
MATCH (e:Episode {key: $key, namespace: $namespace})
SET e.reward = $reward, e.solved = $solved, e.reward_basis = $reward_basis, e.sequence = $sequence
RETURN count(*) AS written
