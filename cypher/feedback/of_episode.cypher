// What people said of an episode, on three axes, oldest first.
// params: namespace, key
// returns: goal, process, satisfaction
MATCH (:Episode {key: $key, namespace: $namespace})<-[:ABOUT]-(f:Feedback)
RETURN f.goal AS goal, f.process AS process, f.satisfaction AS satisfaction
ORDER BY f.sequence
