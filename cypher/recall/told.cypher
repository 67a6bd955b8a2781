// Some skills, policies, steps and statements about an environment as recall tells them, and how alike those of a kind are.
// params: namespace, skills, policies, steps, statements
// returns: tier, told, likeness
UNWIND $skills AS wanted
MATCH (s:Skill {key: wanted, namespace: $namespace})
MATCH (s)-[:CRYSTALLIZED_FROM]->(p:Policy)
WITH collect({
  key: s.key, title: s.title, version: s.version, domain: s.domain, status: s.status,
  trigger: s.trigger, preconditions: s.preconditions, procedure: s.procedure, fallback: s.fallback,
  verification: s.verification, boundary: s.boundary, decision_guidance: s.decision_guidance, passes: s.passes,
  trials: s.trials, reliability: s.reliability, policy: p.key, support: p.support, gain: p.gain,
  gain_low: p.gain_low, gain_high: p.gain_high, p: p.p, q: p.q,
  respects: [(s)-[:RESPECTS]->(n:EnvEntity {kind: 'constraint', status: 'current'}) | {key: n.key, statement: n.statement}],
  episodes: [(s)-[:CITES {role: 'example', is_shown: true}]->(:Evidence)<-[:HAS_STEP]-(ep:Episode) | ep.key]
}) AS told, collect({of: s.embedding}) AS vectors, vector.similarity.cosine([1.0], [-1.0]) AS least
RETURN 'skill' AS tier, told, [a IN vectors | [b IN vectors | CASE WHEN a.of IS NOT NULL AND b.of IS NOT NULL
  THEN 2 * (vector.similarity.cosine(a.of, b.of) - least) / (1 - least) - 1 END]] AS likeness
UNION ALL
UNWIND $policies AS wanted
MATCH (p:Policy {key: wanted, namespace: $namespace})
WITH collect({
  key: p.key, title: p.title, domain: p.domain, status: p.status, stance: p.stance,
  trigger: p.trigger, procedure: p.procedure, verification: p.verification, fallback: p.fallback,
  boundary: p.boundary, support: p.support, gain: p.gain, gain_low: p.gain_low, gain_high: p.gain_high, p: p.p, q: p.q
}) AS told, collect({of: p.embedding}) AS vectors, vector.similarity.cosine([1.0], [-1.0]) AS least
RETURN 'policy' AS tier, told, [a IN vectors | [b IN vectors | CASE WHEN a.of IS NOT NULL AND b.of IS NOT NULL
  THEN 2 * (vector.similarity.cosine(a.of, b.of) - least) / (1 - least) - 1 END]] AS likeness
UNION ALL
UNWIND $steps AS wanted
MATCH (e:Evidence {key: wanted, namespace: $namespace})
MATCH (e)<-[:HAS_STEP]-(ep:Episode)
WITH collect({
  key: e.key, index: e.index, tool: e.tool, arguments: e.arguments, action: e.action,
  reflection: e.reflection, observation: e.observation, value: e.value,
  episode: ep.key, domain: ep.domain, task: ep.task, reward: ep.reward, solved: ep.solved
}) AS told, collect({of: e.embedding}) AS vectors, vector.similarity.cosine([1.0], [-1.0]) AS least
RETURN 'evidence' AS tier, told, [a IN vectors | [b IN vectors | CASE WHEN a.of IS NOT NULL AND b.of IS NOT NULL
  THEN 2 * (vector.similarity.cosine(a.of, b.of) - least) / (1 - least) - 1 END]] AS likeness
UNION ALL
UNWIND $statements AS wanted
MATCH (n:EnvEntity {key: wanted, namespace: $namespace})
WITH collect({
  key: n.key, kind: n.kind, name: n.name, statement: n.statement, domain: n.domain,
  status: n.status, confidence: n.confidence, support: n.support,
  policies: [(n)-[:ABSTRACTED_FROM]->(p:Policy) | p.key]
}) AS told, collect({of: n.embedding}) AS vectors, vector.similarity.cosine([1.0], [-1.0]) AS least
RETURN 'environment' AS tier, told, [a IN vectors | [b IN vectors | CASE WHEN a.of IS NOT NULL AND b.of IS NOT NULL
  THEN 2 * (vector.similarity.cosine(a.of, b.of) - least) / (1 - least) - 1 END]] AS likeness
