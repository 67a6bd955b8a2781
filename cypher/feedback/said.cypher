// Whether somebody said these words of an episode already.
// params: namespace, key, text, author
// returns: key
MATCH (:Episode {key: $key, namespace: $namespace})<-[:ABOUT]-(f:Feedback)
WHERE f.text = $text AND f.author = $author
RETURN f.key AS key
LIMIT 1
