// A task and how its episodes went.
// params: namespace, key
// returns: text, domain, task_key, episodes, scored, solved, reward
MATCH (t:Task {key: $key, namespace: $namespace})
OPTIONAL MATCH (e:Episode)-[:ATTEMPTS]->(t)
RETURN t.text AS text, t.domain AS domain, t.task_key AS task_key, count(e) AS episodes,
       count(e.reward) AS scored, sum(CASE WHEN e.solved THEN 1 ELSE 0 END) AS solved, avg(e.reward) AS reward
