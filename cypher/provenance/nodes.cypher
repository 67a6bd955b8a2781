// The given properties of nodes of any label, one a row; each label apart, since a key is indexed by label.
// params: namespace, keys, properties
// returns: key, label, property, value
UNWIND $keys AS key
CALL (key) {
  MATCH (node:Decision {key: key, namespace: $namespace})
  RETURN node
  UNION ALL
  MATCH (node:Trial {key: key, namespace: $namespace})
  RETURN node
  UNION ALL
  MATCH (node:Feedback {key: key, namespace: $namespace})
  RETURN node
  UNION ALL
  MATCH (node:Skill {key: key, namespace: $namespace})
  RETURN node
  UNION ALL
  MATCH (node:EnvEntity {key: key, namespace: $namespace})
  RETURN node
  UNION ALL
  MATCH (node:Policy {key: key, namespace: $namespace})
  RETURN node
  UNION ALL
  MATCH (node:Pattern {key: key, namespace: $namespace})
  RETURN node
  UNION ALL
  MATCH (node:Tool {key: key, namespace: $namespace})
  RETURN node
  UNION ALL
  MATCH (node:Run {key: key, namespace: $namespace})
  RETURN node
  UNION ALL
  MATCH (node:Evidence {key: key, namespace: $namespace})
  RETURN node
  UNION ALL
  MATCH (node:Episode {key: key, namespace: $namespace})
  RETURN node
  UNION ALL
  MATCH (node:Task {key: key, namespace: $namespace})
  RETURN node
  UNION ALL
  MATCH (node:Store {key: key, namespace: $namespace})
  RETURN node
}
UNWIND $properties AS property
WITH node, property
WHERE node[property] IS NOT NULL
RETURN node.key AS key, labels(node)[0] AS label, property, node[property] AS value
ORDER BY key, property
