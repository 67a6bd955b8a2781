// Some steps with their episodes, as recall tells them.
// params: namespace, keys
// returns: key, embedding, index, tool, kind, arguments, action, reflection, observation, is_error, value, happened_at, episode, domain, task, reward, solved
UNWIND $keys AS wanted
MATCH (e:Evidence {key: wanted, namespace: $namespace})
MATCH (e)<-[:HAS_STEP]-(ep:Episode)
RETURN e.key AS key, e.embedding AS embedding, e.index AS index, e.tool AS tool, e.kind AS kind,
       e.arguments AS arguments, e.action AS action, e.reflection AS reflection, e.observation AS observation,
       e.is_error AS is_error, e.value AS value, coalesce(e.occurred_at, ep.ended_at, e.created_at) AS happened_at,
       ep.key AS episode, ep.domain AS domain, ep.task AS task, ep.reward AS reward, ep.solved AS solved
ORDER BY key
