// How many steps of how many episodes a skill cites in each role.
// params: namespace, key
// returns: role, steps, episodes, shown
MATCH (:Skill {key: $key, namespace: $namespace})-[c:CITES]->(e:Evidence)<-[:HAS_STEP]-(ep:Episode)
RETURN c.role AS role, count(e) AS steps, count(DISTINCT ep) AS episodes,
       sum(CASE WHEN c.is_shown THEN 1 ELSE 0 END) AS shown
ORDER BY role
