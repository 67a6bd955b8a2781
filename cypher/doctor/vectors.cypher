// How many steps that call a tool have a vector, and how many lack one.
// params: namespace
// returns: embedded, lacking
MATCH (e:Evidence {namespace: $namespace})
WHERE e.tool IS NOT NULL
RETURN sum(CASE WHEN e.embedding IS NULL THEN 0 ELSE 1 END) AS embedded,
       sum(CASE WHEN e.embedding IS NULL THEN 1 ELSE 0 END) AS lacking
