// A run and how many policies and skills it wrote.
// params: namespace, key
// returns: stage, started_at, ended_at, policies, skills
MATCH (r:Run {key: $key, namespace: $namespace})
OPTIONAL MATCH (n)-[:WAS_GENERATED_BY]->(r)
RETURN r.stage AS stage, r.started_at AS started_at, r.ended_at AS ended_at,
       sum(CASE WHEN n:Policy THEN 1 ELSE 0 END) AS policies, sum(CASE WHEN n:Skill THEN 1 ELSE 0 END) AS skills
