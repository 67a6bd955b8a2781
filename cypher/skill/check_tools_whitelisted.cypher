// Tools of a skill that no cited trajectory called.
// params: namespace, key
// returns: witness
MATCH (s:Skill {key: $key, namespace: $namespace})
OPTIONAL MATCH (s)-[:CITES]->(:Evidence)<-[:HAS_STEP]-(ep:Episode)
OPTIONAL MATCH (ep)-[:HAS_STEP]->(:Evidence)-[:CALLED]->(called:Tool)
WITH s, collect(DISTINCT called.name) AS whitelist
MATCH (s)-[:REQUIRES]->(t:Tool)
WHERE NOT t.name IN whitelist
RETURN DISTINCT t.name AS witness
ORDER BY witness
