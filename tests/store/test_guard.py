from __future__ import annotations

import pytest

from msce_graph.errors import QueryRefused, StoreError
from msce_graph.store import Store
from msce_graph.store.fingerprint import fingerprint
from tests.store.samples import episode, put, step

REFUSED = {
    "create": "CREATE (n:Evidence {key: 'test/x'})",
    "a new label": "CREATE (n:Invented {key: 'test/x'})",
    "merge": "MERGE (n:Evidence {key: 'test/x'}) RETURN n.key AS key",
    "set": "MATCH (n:Evidence) SET n.text = 'mine' RETURN n.key AS key",
    "remove": "MATCH (n:Evidence) REMOVE n.text",
    "delete": "MATCH (n:Evidence) DETACH DELETE n",
    "behind a comment": "/* MATCH (n) RETURN n */ CREATE (n:Evidence {key: 'test/x'})",
    "behind a line comment": "// only reads\nMATCH (n:Evidence) SET n.text = 'mine'",
    "behind a union": "MATCH (n:Evidence) RETURN n.key AS key UNION CREATE (m:Evidence {key: 'x'}) RETURN m.key AS key",
    "in a subquery": "MATCH (n:Evidence) CALL (n) { SET n.text = 'mine' RETURN n.key AS key } RETURN key",
    "in transactions": "MATCH (n:Evidence) CALL (n) { SET n.text = 'mine' } IN TRANSACTIONS",
    "for each": "FOREACH (x IN [1] | CREATE (:Evidence {key: 'test/x'}))",
    "an index": "CREATE INDEX mine IF NOT EXISTS FOR (n:Evidence) ON (n.text)",
    "no index": "DROP INDEX evidence_text",
    "a user": "CREATE USER mine SET PASSWORD 'long enough'",
    "a local file": "LOAD CSV FROM 'file:///etc/passwd' AS line RETURN line",
    "a local file in a subquery": "CALL () { LOAD CSV FROM 'file:///etc/passwd' AS line RETURN line } RETURN line",
    "an address": "LOAD CSV FROM 'http://127.0.0.1:9/x' AS line RETURN line",
    "a procedure": "CALL dbms.components() YIELD name RETURN name",
    "a procedure in a subquery": "CALL () { CALL/**/dbms.components() YIELD name RETURN name } RETURN name",
    "a command": "SHOW TRANSACTIONS",
    "ending what others do": "TERMINATE TRANSACTIONS 'neo4j-transaction-1'",
}
ALLOWED = {
    "match": "MATCH (n:Evidence) RETURN n.key AS found",
    "with a comment": "/* CREATE is a word */ MATCH (n:Evidence) RETURN n.key AS found // DELETE",
    "a word of writing in a text": "MATCH (n:Evidence) WHERE n.text <> 'SET x' RETURN n.key AS found",
    "a call in a text": "MATCH (n:Evidence) WHERE n.id <> 'it\\'s CALL me.later(1)' RETURN n.key AS found",
    "a call in a comment": "// CALL dbms.components()\nMATCH (n:Evidence) /* a.b(c) */ RETURN n.key AS found",
    "a call in a quoted name": "MATCH (n:Evidence) WHERE n.`CALL x.y` IS NULL RETURN n.key AS found",
    "brackets after a property": "MATCH (n:Evidence) WHERE n.id IN ['egg#0'] AND (n.key = n.key) RETURN n.key AS found",
    "union": "MATCH (n:Evidence) RETURN n.key AS found UNION MATCH (n:Evidence) RETURN n.key AS found",
    "subquery": "CALL () { MATCH (n:Evidence) RETURN n.key AS found } RETURN found",
    "text index": "CALL db.index.fulltext.queryNodes('evidence_text', 'water') YIELD node RETURN node.key AS found",
    "own functions": "MATCH (n:Evidence) WHERE n.created_at > datetime('2020-01-01T00:00:00Z') RETURN n.key AS found",
}


@pytest.fixture
def kitchen(store: Store) -> Store:
    """A store with one step."""
    store.write(lambda tx: put(tx, episode("egg"), [step("egg", 0)]))
    return store


def test_a_query_that_would_do_more_than_read_is_refused_and_changes_nothing(kitchen):
    before = fingerprint(kitchen), kitchen.read(lambda tx: tx.run("schema/indexes"))

    for what, cypher in REFUSED.items():
        with pytest.raises(QueryRefused, match="give --write"):
            pytest.fail(f"{what} was run: {kitchen.query(cypher)}")

    assert (fingerprint(kitchen), kitchen.read(lambda tx: tx.run("schema/indexes"))) == before


@pytest.mark.parametrize(
    "cypher",
    [
        "RETURN apoc.util.sleep(1) AS slept",
        "RETURN apoc . util . `sleep` (1) AS slept",
        "RETURN 'it\\'s' AS text, \"'\" AS quote, apoc.util.sleep(1) AS slept",
        "RETURN '//' AS text, apoc.util.sleep(1) AS slept",
        "MATCH (`//`:Evidence) RETURN apoc.util.sleep(1) AS slept",
    ],
)
def test_a_plugged_in_function_is_refused(kitchen, cypher):
    if kitchen.engine.name != "embedded":
        pytest.skip("only on the embedded engine are functions plugged in without an administrator")

    with pytest.raises(QueryRefused, match=r"apoc\.util\.sleep"):
        kitchen.query(cypher)


@pytest.mark.parametrize("what", ALLOWED)
def test_a_query_that_only_reads_is_run(kitchen, what):
    assert kitchen.query(ALLOWED[what]) == [{"found": "test/egg#0"}]


def test_a_query_that_may_write_writes(kitchen):
    kitchen.query("MATCH (n:Evidence) SET n.text = $text", {"text": "stir"}, write=True)

    assert kitchen.query("MATCH (n:Evidence) RETURN n.text AS text") == [{"text": "stir"}]


def test_a_query_knows_its_namespace_and_its_parameters(kitchen):
    found = kitchen.query("MATCH (n:Evidence {namespace: $namespace}) RETURN n.id + $end AS id", {"end": "!"})

    assert found == [{"id": "egg#0!"}]


def test_nodes_edges_and_paths_come_back_as_plain_values(kitchen):
    [row] = kitchen.query("MATCH path = (e:Episode)-[edge:HAS_STEP]->(n:Evidence) RETURN path, edge, n")

    assert row["n"]["labels"] == ["Evidence"]
    assert row["n"]["properties"]["text"] == "heat the water"
    assert (row["edge"]["type"], row["edge"]["from"], row["edge"]["to"]) == ("HAS_STEP", "test/egg", "test/egg#0")
    assert [node["labels"] for node in row["path"]["nodes"]] == [["Episode"], ["Evidence"]]


def test_a_query_that_is_no_cypher_is_an_error_that_says_where(kitchen):
    with pytest.raises(StoreError):
        kitchen.query("MATCH (n RETURN n")
