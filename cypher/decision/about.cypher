// The decisions about a node, oldest first.
// params: namespace, key
// returns: namespace, id, created_at, subject, sequence, action, reason, before, after, author, occurred_at
MATCH (d:Decision {namespace: $namespace, subject: $key})
RETURN d.namespace AS namespace, d.id AS id, d.created_at AS created_at, d.subject AS subject,
       d.sequence AS sequence, d.action AS action, d.reason AS reason, d.before AS before, d.after AS after,
       d.author AS author, d.occurred_at AS occurred_at
ORDER BY sequence, action
