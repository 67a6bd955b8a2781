// Delete the answers that were made from an episode's steps, before those go.
// params: namespace, key
// returns: written
MATCH (ep:Episode {key: $key, namespace: $namespace})
MATCH (ep)-[:HAS_STEP]->(:Evidence)<-[:ABOUT]-(a:Answer)
WITH DISTINCT a
DETACH DELETE a
RETURN count(*) AS written
