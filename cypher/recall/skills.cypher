// Some skills as recall tells them, with the numbers of their policies and the episodes that they show as examples.
// params: namespace, keys
// returns: key, embedding, namespace, id, created_at, name, title, version, domain, trigger, description, preconditions, procedure, fallback, verification, boundary, decision_guidance, status, passes, trials, consecutive_passes, consecutive_failures, reliability, drafted_by, pinned, policy, support, gain, gain_low, gain_high, p, q, episodes
UNWIND $keys AS wanted
MATCH (s:Skill {key: wanted, namespace: $namespace})-[:CRYSTALLIZED_FROM]->(p:Policy)
OPTIONAL MATCH (s)-[:CITES {role: 'example', is_shown: true}]->(:Evidence)<-[:HAS_STEP]-(ep:Episode)
WITH s, p, collect(DISTINCT ep.key) AS episodes
RETURN s.key AS key, s.embedding AS embedding, s.namespace AS namespace, s.id AS id, s.created_at AS created_at,
       s.name AS name, s.title AS title, s.version AS version, s.domain AS domain, s.trigger AS trigger,
       s.description AS description, s.preconditions AS preconditions, s.procedure AS procedure,
       s.fallback AS fallback, s.verification AS verification, s.boundary AS boundary,
       s.decision_guidance AS decision_guidance, s.status AS status, s.passes AS passes, s.trials AS trials,
       s.consecutive_passes AS consecutive_passes, s.consecutive_failures AS consecutive_failures,
       s.reliability AS reliability, s.drafted_by AS drafted_by, s.pinned AS pinned, p.key AS policy,
       p.support AS support, p.gain AS gain, p.gain_low AS gain_low, p.gain_high AS gain_high, p.p AS p, p.q AS q,
       episodes
ORDER BY key
