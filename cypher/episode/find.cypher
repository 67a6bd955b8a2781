// What is stored of the episodes with these keys, to tell new, same, grown and changed apart.
// params: namespace, keys
// returns: key, content_sha256, trajectory_sha256, sequence, is_learned, domain, reward_basis, reward, solved, origin, is_trust_decided
UNWIND $keys AS wanted
MATCH (episode:Episode {key: wanted, namespace: $namespace})
RETURN episode.key AS key, episode.content_sha256 AS content_sha256,
       episode.trajectory_sha256 AS trajectory_sha256,
       episode.sequence AS sequence, episode.is_learned AS is_learned, episode.domain AS domain,
       episode.reward_basis AS reward_basis, episode.reward AS reward, episode.solved AS solved,
       episode.origin AS origin,
       EXISTS { (episode)<-[:ABOUT]-(:Decision {action: 'trust'}) } AS is_trust_decided
ORDER BY key
