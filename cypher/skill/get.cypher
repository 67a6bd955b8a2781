// One skill by its key.
// params: namespace, key
// returns: namespace, id, created_at, name, title, version, domain, trigger, description, preconditions, procedure, fallback, verification, boundary, decision_guidance, status, passes, trials, consecutive_passes, consecutive_failures, reliability, drafted_by, pinned
MATCH (s:Skill {key: $key, namespace: $namespace})
WHERE s.status IS NOT NULL
RETURN s.namespace AS namespace, s.id AS id, s.created_at AS created_at, s.name AS name, s.title AS title,
       s.version AS version, s.domain AS domain, s.trigger AS trigger, s.description AS description,
       s.preconditions AS preconditions, s.procedure AS procedure, s.fallback AS fallback,
       s.verification AS verification, s.boundary AS boundary, s.decision_guidance AS decision_guidance,
       s.status AS status, s.passes AS passes, s.trials AS trials, s.consecutive_passes AS consecutive_passes,
       s.consecutive_failures AS consecutive_failures, s.reliability AS reliability,
       s.drafted_by AS drafted_by, s.pinned AS pinned
