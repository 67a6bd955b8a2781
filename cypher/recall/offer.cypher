// Note that skills were given to the agents of episodes.
// params: namespace, rows
// returns: written
UNWIND $rows AS row
MATCH (e:Episode {key: row.key, namespace: $namespace})
MATCH (s:Skill {key: row.to, namespace: $namespace})
MERGE (e)-[:OFFERED]->(s)
RETURN count(*) AS written
