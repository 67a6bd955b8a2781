// Take from statements all that they are joined to but the runs that made them.
// params: namespace, keys
// returns: written
UNWIND $keys AS wanted
MATCH (n:EnvEntity {key: wanted, namespace: $namespace})
MATCH (n)-[edge:ABSTRACTED_FROM|FROM_TOOL|TO_TOOL|CONSTRAINS|DEPENDS_ON|PART_OF]->()
DELETE edge
RETURN count(*) AS written
