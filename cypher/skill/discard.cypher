// Delete a draft that failed a check, unless an input is about the skill that it was to be.
// params: namespace, key
// returns: written
MATCH (s:Skill {key: $key, namespace: $namespace})
WHERE NOT (s)<-[:OFFERED]-() AND NOT (s)<-[:OF]-() AND NOT (s)<-[:ABOUT]-()
DETACH DELETE s
RETURN count(*) AS written
