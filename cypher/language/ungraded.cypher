// Scored episodes with reflections: those not taken in that no model has graded yet or, with `anew`, all, in order.
// params: namespace, anew
// returns: key, sequence
MATCH (ep:Episode {namespace: $namespace})
WHERE ($anew OR ep.is_learned = false) AND ep.sequence IS NOT NULL AND ep.reward IS NOT NULL
MATCH (ep)-[:HAS_STEP]->(e:Evidence)
WHERE e.reflection <> '' AND e.graded_by IS NULL
RETURN DISTINCT ep.key AS key, ep.sequence AS sequence
ORDER BY sequence
