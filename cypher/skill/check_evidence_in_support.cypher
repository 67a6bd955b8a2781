// Citations outside the policy's evidence: examples that do not support it, counterexamples that do not contradict it.
// params: namespace, key
// returns: witness
MATCH (s:Skill {key: $key, namespace: $namespace})-[c:CITES]->(e:Evidence)
OPTIONAL MATCH (s)-[:CRYSTALLIZED_FROM]->(p:Policy)<-[r:SUPPORTS|CONTRADICTS]-(e)
WITH e.key AS witness, c.role AS role, collect(type(r)) AS relations
WHERE (role = 'example' AND NOT 'SUPPORTS' IN relations)
   OR (role = 'counterexample' AND NOT 'CONTRADICTS' IN relations)
RETURN DISTINCT witness
ORDER BY witness
