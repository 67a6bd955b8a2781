// Lock an episode that is being recorded, so that its steps come one after the other.
// params: namespace, key
// returns: step_count
MATCH (episode:Episode {key: $key, namespace: $namespace})
SET episode.step_count = episode.step_count
RETURN episode.step_count AS step_count
