// Wait until every index is ready.
// params: seconds
// returns:
CALL db.awaitIndexes($seconds)
