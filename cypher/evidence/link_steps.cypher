// Join steps to their episode, and each but the first to the step before it.
// params: namespace, rows
// returns: written
UNWIND $rows AS row
MATCH (episode:Episode {key: row.to, namespace: $namespace})
MATCH (step:Evidence {key: row.key, namespace: $namespace})
OPTIONAL MATCH (previous:Evidence {key: coalesce(row.previous, ''), namespace: $namespace})
MERGE (episode)-[:HAS_STEP]->(step)
FOREACH (start IN CASE WHEN previous IS NULL THEN [] ELSE [previous] END | MERGE (start)-[:NEXT]->(step))
RETURN sum(CASE WHEN (row.previous IS NULL) = (previous IS NULL) THEN 1 ELSE 0 END) AS written
