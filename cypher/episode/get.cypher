// One episode by its key.
// params: namespace, key
// returns: namespace, id, created_at, sequence, task, task_key, domain, agent, model, started_at, ended_at, step_count, tool_steps, tokens, cost, outcome, solved, reward, reward_basis, source_format, source, source_sha256, content_sha256, trajectory_sha256, origin, is_complete, is_learned
MATCH (episode:Episode {key: $key, namespace: $namespace})
RETURN
  episode.namespace AS namespace, episode.id AS id, episode.created_at AS created_at, episode.sequence AS sequence,
  episode.task AS task, episode.task_key AS task_key, episode.domain AS domain, episode.agent AS agent,
  episode.model AS model, episode.started_at AS started_at, episode.ended_at AS ended_at,
  episode.step_count AS step_count, episode.tool_steps AS tool_steps, episode.tokens AS tokens,
  episode.cost AS cost, episode.outcome AS outcome, episode.solved AS solved, episode.reward AS reward,
  episode.reward_basis AS reward_basis, episode.source_format AS source_format, episode.source AS source,
  episode.source_sha256 AS source_sha256, episode.content_sha256 AS content_sha256,
  episode.trajectory_sha256 AS trajectory_sha256, episode.origin AS origin, episode.is_complete AS is_complete,
  episode.is_learned AS is_learned
