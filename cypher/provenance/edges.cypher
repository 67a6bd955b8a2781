// The edges between given nodes, with what they carry; NEXT is left out, as it tells order and no origin.
// params: namespace, keys
// returns: source, target, type, similarity, role, argument, path, episodes, solved, sum, domain, support, confidence
UNWIND $keys AS key
CALL (key) {
  MATCH (source:Decision {key: key, namespace: $namespace})
  RETURN source
  UNION ALL
  MATCH (source:Trial {key: key, namespace: $namespace})
  RETURN source
  UNION ALL
  MATCH (source:Feedback {key: key, namespace: $namespace})
  RETURN source
  UNION ALL
  MATCH (source:Skill {key: key, namespace: $namespace})
  RETURN source
  UNION ALL
  MATCH (source:EnvEntity {key: key, namespace: $namespace})
  RETURN source
  UNION ALL
  MATCH (source:Policy {key: key, namespace: $namespace})
  RETURN source
  UNION ALL
  MATCH (source:Tool {key: key, namespace: $namespace})
  RETURN source
  UNION ALL
  MATCH (source:Evidence {key: key, namespace: $namespace})
  RETURN source
  UNION ALL
  MATCH (source:Episode {key: key, namespace: $namespace})
  RETURN source
}
MATCH (source)-[edge]->(target)
WHERE target.key IN $keys AND type(edge) <> 'NEXT'
RETURN
  source.key AS source, target.key AS target, type(edge) AS type, edge.similarity AS similarity, edge.role AS role,
  edge.argument AS argument, edge.path AS path, edge.episodes AS episodes, edge.solved AS solved, edge.sum AS sum,
  edge.domain AS domain, edge.support AS support, edge.confidence AS confidence
ORDER BY source, target, type, argument, path, domain
