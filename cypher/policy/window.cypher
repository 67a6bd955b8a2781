// The most recent supporting episodes of some policies, newest first, with the segment of each support.
// params: namespace, policies, limit
// returns: policy, sequence, task_key, episode, segments
UNWIND $policies AS policy
MATCH (p:Policy {key: policy, namespace: $namespace})<-[s:SUPPORTS]-(e:Evidence)<-[:HAS_STEP]-(episode:Episode)
WITH p, episode, collect({evidence: e.key, index: e.index, segment: s.segment}) AS segments
ORDER BY p.id, episode.sequence DESC
WITH p, collect({sequence: episode.sequence, task_key: episode.task_key, episode: episode.key, segments: segments})[0..$limit] AS window
UNWIND window AS supporting
RETURN p.id AS policy, supporting.sequence AS sequence, supporting.task_key AS task_key,
       supporting.episode AS episode, supporting.segments AS segments
ORDER BY policy, sequence DESC
