// What a language model has answered to some questions before; `refused` says why an answer was of no use.
// params: namespace, keys
// returns: key, words, refused
UNWIND $keys AS wanted
MATCH (a:Answer {key: wanted, namespace: $namespace})
RETURN a.key AS key, a.words AS words, a.refused AS refused
ORDER BY key
