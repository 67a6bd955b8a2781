// What a model said of the reflection of a step, if its grade counts.
// params: namespace, key
// returns: model, words
MATCH (e:Evidence {key: $key, namespace: $namespace})
MATCH (e)<-[:ABOUT]-(a:Answer)
WHERE e.graded_by IS NOT NULL AND a.purpose = 'grade reflection' AND 'llm:' + a.model = e.graded_by AND a.refused IS NULL
RETURN a.model AS model, a.words AS words
ORDER BY a.key
LIMIT 1
