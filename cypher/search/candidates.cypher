// What each search finds, best first: $nearest and $exact by $vector, $matching by the words of $text, one list a tier.
// params: namespace, vector, opposite, text, nearest_skill, exact_skill, matching_skill, nearest_policy, exact_policy, matching_policy, nearest_evidence, exact_evidence, matching_evidence, nearest_environment, exact_environment, matching_environment, matching_episode
// returns: number, answered, keys, scores, facts
UNWIND $nearest_skill AS ask
WITH ask, vector.similarity.cosine($vector, $opposite) AS least
CALL db.index.vector.queryNodes('skill_embedding', ask.fetch, $vector) YIELD node
WITH ask, least, node, node.namespace = $namespace
  AND (ask.domain IS NULL OR node.domain = ask.domain)
  AND (ask.statuses IS NULL OR node.status IN ask.statuses) AS is_asked
WITH ask, CASE WHEN is_asked THEN node END AS node, CASE WHEN is_asked
  THEN 2 * (vector.similarity.cosine(node.embedding, $vector) - least) / (1 - least) - 1 END AS score
ORDER BY score DESC, node.key
WITH ask, count(*) AS answered, collect(node)[..2 * ask.k] AS nodes, collect(score)[..2 * ask.k] AS scores
RETURN ask.number AS number, answered, [n IN nodes | n.key] AS keys, scores,
       null AS facts
UNION ALL
UNWIND $exact_skill AS ask
WITH ask, vector.similarity.cosine($vector, $opposite) AS least
MATCH (node:Skill)
WHERE node.key STARTS WITH $namespace + '/' AND node.embedding IS NOT NULL
  AND (ask.domain IS NULL OR node.domain = ask.domain)
  AND (ask.statuses IS NULL OR node.status IN ask.statuses)
WITH ask, node, 2 * (vector.similarity.cosine(node.embedding, $vector) - least) / (1 - least) - 1 AS score
ORDER BY score DESC, node.key
WITH ask, count(*) AS answered, collect(node)[..2 * ask.k] AS nodes, collect(score)[..2 * ask.k] AS scores
RETURN ask.number AS number, answered, [n IN nodes | n.key] AS keys, scores,
       null AS facts
UNION ALL
UNWIND $matching_skill AS ask
CALL db.index.fulltext.queryNodes('skill_text', $text, {limit: ask.fetch}) YIELD node, score
WITH ask, node, score, node.namespace = $namespace
  AND (ask.domain IS NULL OR node.domain = ask.domain)
  AND (ask.statuses IS NULL OR node.status IN ask.statuses) AS is_asked
WITH ask, CASE WHEN is_asked THEN node END AS node, CASE WHEN is_asked THEN score END AS score
ORDER BY score DESC, node.key
WITH ask, count(*) AS answered, collect(node)[..2 * ask.k] AS nodes, collect(score)[..2 * ask.k] AS scores
RETURN ask.number AS number, answered, [n IN nodes | n.key] AS keys, scores,
       null AS facts
UNION ALL
UNWIND $nearest_policy AS ask
WITH ask, vector.similarity.cosine($vector, $opposite) AS least
CALL db.index.vector.queryNodes('policy_embedding', ask.fetch, $vector) YIELD node
WITH ask, least, node, node.namespace = $namespace
  AND (ask.domain IS NULL OR node.domain = ask.domain)
  AND (ask.statuses IS NULL OR node.status IN ask.statuses)
  AND (ask.stance IS NULL OR node.stance = ask.stance) AS is_asked
WITH ask, CASE WHEN is_asked THEN node END AS node, CASE WHEN is_asked
  THEN 2 * (vector.similarity.cosine(node.embedding, $vector) - least) / (1 - least) - 1 END AS score
ORDER BY score DESC, node.key
WITH ask, count(*) AS answered, collect(node)[..2 * ask.k] AS nodes, collect(score)[..2 * ask.k] AS scores
RETURN ask.number AS number, answered, [n IN nodes | n.key] AS keys, scores,
       [n IN nodes | {stance: n.stance}] AS facts
UNION ALL
UNWIND $exact_policy AS ask
WITH ask, vector.similarity.cosine($vector, $opposite) AS least
MATCH (node:Policy)
WHERE node.key STARTS WITH $namespace + '/' AND node.embedding IS NOT NULL
  AND (ask.domain IS NULL OR node.domain = ask.domain)
  AND (ask.statuses IS NULL OR node.status IN ask.statuses)
  AND (ask.stance IS NULL OR node.stance = ask.stance)
WITH ask, node, 2 * (vector.similarity.cosine(node.embedding, $vector) - least) / (1 - least) - 1 AS score
ORDER BY score DESC, node.key
WITH ask, count(*) AS answered, collect(node)[..2 * ask.k] AS nodes, collect(score)[..2 * ask.k] AS scores
RETURN ask.number AS number, answered, [n IN nodes | n.key] AS keys, scores,
       [n IN nodes | {stance: n.stance}] AS facts
UNION ALL
UNWIND $matching_policy AS ask
CALL db.index.fulltext.queryNodes('policy_text', $text, {limit: ask.fetch}) YIELD node, score
WITH ask, node, score, node.namespace = $namespace
  AND (ask.domain IS NULL OR node.domain = ask.domain)
  AND (ask.statuses IS NULL OR node.status IN ask.statuses)
  AND (ask.stance IS NULL OR node.stance = ask.stance) AS is_asked
WITH ask, CASE WHEN is_asked THEN node END AS node, CASE WHEN is_asked THEN score END AS score
ORDER BY score DESC, node.key
WITH ask, count(*) AS answered, collect(node)[..2 * ask.k] AS nodes, collect(score)[..2 * ask.k] AS scores
RETURN ask.number AS number, answered, [n IN nodes | n.key] AS keys, scores,
       [n IN nodes | {stance: n.stance}] AS facts
UNION ALL
UNWIND $nearest_evidence AS ask
WITH ask, vector.similarity.cosine($vector, $opposite) AS least
CALL db.index.vector.queryNodes('evidence_embedding', ask.fetch, $vector) YIELD node
WITH ask, least, node, node.namespace = $namespace
  AND (ask.domain IS NULL OR EXISTS { (node)<-[:HAS_STEP]-(:Episode {domain: ask.domain}) })
  AND (ask.sign IS NULL OR ask.sign * node.value > 0) AS is_asked
WITH ask, CASE WHEN is_asked THEN node END AS node, CASE WHEN is_asked
  THEN 2 * (vector.similarity.cosine(node.embedding, $vector) - least) / (1 - least) - 1 END AS score
ORDER BY score DESC, node.key
WITH ask, count(*) AS answered, collect(node)[..2 * ask.k] AS nodes, collect(score)[..2 * ask.k] AS scores
WITH ask, answered, nodes, scores, [n IN nodes | coalesce(
       n.occurred_at, head([(n)<-[:HAS_STEP]-(ep:Episode) | ep.ended_at]), n.created_at)] AS times
RETURN ask.number AS number, answered, [n IN nodes | n.key] AS keys, scores,
       [n IN range(0, size(nodes) - 1) | {value: nodes[n].value,
         at: 1000000 * times[n].epochSeconds + times[n].microsecond}] AS facts
UNION ALL
UNWIND $exact_evidence AS ask
WITH ask, vector.similarity.cosine($vector, $opposite) AS least
MATCH (node:Evidence)
WHERE node.key STARTS WITH $namespace + '/' AND node.embedding IS NOT NULL
  AND (ask.domain IS NULL OR EXISTS { (node)<-[:HAS_STEP]-(:Episode {domain: ask.domain}) })
  AND (ask.sign IS NULL OR ask.sign * node.value > 0)
WITH ask, node, 2 * (vector.similarity.cosine(node.embedding, $vector) - least) / (1 - least) - 1 AS score
ORDER BY score DESC, node.key
WITH ask, count(*) AS answered, collect(node)[..2 * ask.k] AS nodes, collect(score)[..2 * ask.k] AS scores
WITH ask, answered, nodes, scores, [n IN nodes | coalesce(
       n.occurred_at, head([(n)<-[:HAS_STEP]-(ep:Episode) | ep.ended_at]), n.created_at)] AS times
RETURN ask.number AS number, answered, [n IN nodes | n.key] AS keys, scores,
       [n IN range(0, size(nodes) - 1) | {value: nodes[n].value,
         at: 1000000 * times[n].epochSeconds + times[n].microsecond}] AS facts
UNION ALL
UNWIND $matching_evidence AS ask
CALL db.index.fulltext.queryNodes('evidence_text', $text, {limit: ask.fetch}) YIELD node, score
WITH ask, node, score, node.namespace = $namespace
  AND (ask.domain IS NULL OR EXISTS { (node)<-[:HAS_STEP]-(:Episode {domain: ask.domain}) })
  AND (ask.sign IS NULL OR ask.sign * node.value > 0) AS is_asked
WITH ask, CASE WHEN is_asked THEN node END AS node, CASE WHEN is_asked THEN score END AS score
ORDER BY score DESC, node.key
WITH ask, count(*) AS answered, collect(node)[..2 * ask.k] AS nodes, collect(score)[..2 * ask.k] AS scores
WITH ask, answered, nodes, scores, [n IN nodes | coalesce(
       n.occurred_at, head([(n)<-[:HAS_STEP]-(ep:Episode) | ep.ended_at]), n.created_at)] AS times
RETURN ask.number AS number, answered, [n IN nodes | n.key] AS keys, scores,
       [n IN range(0, size(nodes) - 1) | {value: nodes[n].value,
         at: 1000000 * times[n].epochSeconds + times[n].microsecond}] AS facts
UNION ALL
UNWIND $nearest_environment AS ask
WITH ask, vector.similarity.cosine($vector, $opposite) AS least
CALL db.index.vector.queryNodes('environment_embedding', ask.fetch, $vector) YIELD node
WITH ask, least, node, node.namespace = $namespace
  AND (ask.domain IS NULL OR node.domain = ask.domain)
  AND (ask.statuses IS NULL OR node.status IN ask.statuses) AS is_asked
WITH ask, CASE WHEN is_asked THEN node END AS node, CASE WHEN is_asked
  THEN 2 * (vector.similarity.cosine(node.embedding, $vector) - least) / (1 - least) - 1 END AS score
ORDER BY score DESC, node.key
WITH ask, count(*) AS answered, collect(node)[..2 * ask.k] AS nodes, collect(score)[..2 * ask.k] AS scores
RETURN ask.number AS number, answered, [n IN nodes | n.key] AS keys, scores,
       null AS facts
UNION ALL
UNWIND $exact_environment AS ask
WITH ask, vector.similarity.cosine($vector, $opposite) AS least
MATCH (node:EnvEntity)
WHERE node.key STARTS WITH $namespace + '/' AND node.embedding IS NOT NULL
  AND (ask.domain IS NULL OR node.domain = ask.domain)
  AND (ask.statuses IS NULL OR node.status IN ask.statuses)
WITH ask, node, 2 * (vector.similarity.cosine(node.embedding, $vector) - least) / (1 - least) - 1 AS score
ORDER BY score DESC, node.key
WITH ask, count(*) AS answered, collect(node)[..2 * ask.k] AS nodes, collect(score)[..2 * ask.k] AS scores
RETURN ask.number AS number, answered, [n IN nodes | n.key] AS keys, scores,
       null AS facts
UNION ALL
UNWIND $matching_environment AS ask
CALL db.index.fulltext.queryNodes('environment_text', $text, {limit: ask.fetch}) YIELD node, score
WITH ask, node, score, node.namespace = $namespace
  AND (ask.domain IS NULL OR node.domain = ask.domain)
  AND (ask.statuses IS NULL OR node.status IN ask.statuses) AS is_asked
WITH ask, CASE WHEN is_asked THEN node END AS node, CASE WHEN is_asked THEN score END AS score
ORDER BY score DESC, node.key
WITH ask, count(*) AS answered, collect(node)[..2 * ask.k] AS nodes, collect(score)[..2 * ask.k] AS scores
RETURN ask.number AS number, answered, [n IN nodes | n.key] AS keys, scores,
       null AS facts
UNION ALL
UNWIND $matching_episode AS ask
CALL db.index.fulltext.queryNodes('episode_text', $text, {limit: ask.fetch}) YIELD node, score
WITH ask, node, score, node.namespace = $namespace
  AND (ask.domain IS NULL OR node.domain = ask.domain)
  AND (ask.sign IS NULL OR ask.sign * node.reward > 0) AS is_asked
WITH ask, CASE WHEN is_asked THEN node END AS node, CASE WHEN is_asked THEN score END AS score
ORDER BY score DESC, node.key
WITH ask, count(*) AS answered, collect(node)[..2 * ask.k] AS nodes, collect(score)[..2 * ask.k] AS scores
RETURN ask.number AS number, answered, [n IN nodes | n.key] AS keys, scores,
       [best IN [n IN nodes | reduce(best = null, step IN [(n)-[:HAS_STEP]->(e:Evidence) WHERE ask.sign * e.value > 0
           | {key: e.key, value: e.value, time: coalesce(e.occurred_at, n.ended_at, e.created_at)}]
         | CASE WHEN best IS NULL OR ask.sign * step.value > ask.sign * best.value
                  OR (step.value = best.value AND step.key < best.key) THEN step ELSE best END)]
       | {key: best.key, value: best.value, at: 1000000 * best.time.epochSeconds + best.time.microsecond}] AS facts
