// Citations that lost their episode or whose value left their role; every example, where too few episodes are trusted.
// params: namespace, key, v_min, n_min, gate_1_over_trusted
// returns: witness
MATCH (:Skill {key: $key, namespace: $namespace})-[c:CITES]->(e:Evidence)
OPTIONAL MATCH (ep:Episode)-[:HAS_STEP]->(e)
WITH collect({key: e.key, role: c.role, value: e.value, episode: ep.key}) AS citations,
     count(DISTINCT CASE
       WHEN c.role = 'example' AND ep.origin = 'own' AND coalesce(ep.reward_basis, 'score') <> 'self_reported' THEN ep.key
     END) AS trusted
UNWIND citations AS cited
WITH cited, trusted
WHERE cited.episode IS NULL
   OR cited.value IS NULL
   OR (cited.role = 'example' AND round(cited.value, 12) < $v_min)
   OR (cited.role = 'counterexample' AND round(cited.value, 12) > -$v_min)
   OR (cited.role = 'example' AND (trusted < $n_min OR NOT $gate_1_over_trusted))
RETURN DISTINCT cited.key AS witness
ORDER BY witness
