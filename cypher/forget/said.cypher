// How much was said of some episodes, and how many uses of skills were seen in them.
// params: namespace, keys
// returns: feedback, trials
OPTIONAL MATCH (f:Feedback {namespace: $namespace})-[:ABOUT]->(e:Episode)
WHERE e.key IN $keys
WITH count(DISTINCT f) AS feedback
OPTIONAL MATCH (t:Trial {namespace: $namespace})-[:IN]->(e:Episode)
WHERE e.key IN $keys
RETURN feedback, count(DISTINCT t) AS trials
