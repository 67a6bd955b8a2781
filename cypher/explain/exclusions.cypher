// The conditions that people named when they corrected a skill or another version of it, in order.
// params: namespace, key
// returns: condition, author, sequence
MATCH (:Skill {key: $key, namespace: $namespace})-[:CRYSTALLIZED_FROM]->(:Policy)<-[:CRYSTALLIZED_FROM]-(other:Skill)
WITH collect(other) AS others
MATCH (given:Skill {key: $key, namespace: $namespace})
UNWIND others + [given] AS version
MATCH (version)<-[:ABOUT]-(f:Feedback)
WHERE f.exclusion <> ''
RETURN DISTINCT f.exclusion AS condition, f.author AS author, f.sequence AS sequence
ORDER BY sequence
