// Delete a draft that failed a check.
// params: namespace, key
// returns: written
MATCH (s:Skill {key: $key, namespace: $namespace})
DETACH DELETE s
RETURN count(*) AS written
