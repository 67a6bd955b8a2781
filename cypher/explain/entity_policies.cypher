// The policies that a statement about an environment was abstracted from.
// params: namespace, key
// returns: key, title, stance, status, stable_for
MATCH (:EnvEntity {key: $key, namespace: $namespace})-[:ABSTRACTED_FROM]->(p:Policy)
RETURN p.key AS key, p.title AS title, p.stance AS stance, p.status AS status, p.stable_for AS stable_for
ORDER BY key
