"""Environment cognition over a real graph: what is told, what it rests on, and that only the graph's state decides."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from msce_graph import MemoryGraph
from msce_graph.embedding import embedder
from msce_graph.errors import UnknownKey
from msce_graph.pipeline import environment
from msce_graph.pipeline import evolve as evolving
from msce_graph.pipeline.runs import Run
from msce_graph.records import EnvEntity
from msce_graph.settings import Settings
from tests.pipeline.workbench import log, told
from tests.store_fixture import Place

Step = dict[str, Any]


def step(
    tool: str, arguments: dict[str, Any], observation: Any, *, error: bool = False, kind: str = "function"
) -> Step:
    return {
        "action": "",
        "tool": tool,
        "kind": kind,
        "arguments": arguments,
        "observation": observation,
        "is_error": error,
    }


def refund(number: int) -> dict[str, Any]:
    """Return an episode of a shop: who finds the order can refund it, and who guesses its number cannot."""
    order, desk = f"order-{number}", f"desk {number % 4}"
    login = step("login", {"user": f"user-{number}", "branch_id": "harborside"}, "Welcome back, friend.")
    find = step("find_order", {"user": f"user-{number}"}, {"orders": [order], "open": True})
    paid = step("refund", {"order": order, "desk": desk}, "Refund booked at once.")
    guessed = step("refund", {"order": f"guess-{number}", "desk": desk}, "Error: no such order", error=True)
    steps = {
        0: [login, find, paid],
        1: [login, guessed, step("ask", {"whom": "nobody"}, "Nobody answers you.")],
        2: [login, guessed, find, paid],
        3: [login, guessed, step("ask", {"whom": "nobody"}, "Nobody answers you."), guessed],
    }[number % 4]
    return episode(number, "shop", steps, solved=number % 2 == 0)


def query(number: int) -> dict[str, Any]:
    """Return an episode of a database: who reads the columns first asks for those that there are."""
    describe = step("sql:DESCRIBE", {"tables": ["ships"]}, "[('name', 'text'), ('port', 'text')]", kind="sql")
    port = "port" if number % 4 else "Port"
    good = step("sql:SELECT", {"columns": ["name", port], "tables": ["ships"]}, "[('Ada', 'Ghent')]", kind="sql")
    joined = step("sql:SELECT", {"columns": ["name"], "tables": ["ports", "ships"]}, "[('Ada',)]", kind="sql")
    lost = step(
        "sql:SELECT",
        {"columns": ["name"], "tables": ["vessels"]},
        "Table 'harbour.vessels' doesn't exist",
        error=True,
        kind="sql",
    )
    steps = [lost, describe, good, joined] if number % 2 == 0 else [lost, lost]
    return episode(
        number, "database", [{**one, "mentions": one["arguments"]["tables"]} for one in steps], solved=number % 2 == 0
    )


def episode(number: int, domain: str, steps: list[Step], *, solved: bool) -> dict[str, Any]:
    return {
        "id": f"{domain}-{number}",
        "task": f"task {number // 4} of the {domain}",
        "task_key": f"{domain}-{number // 4}",
        "domain": domain,
        "solved": solved,
        "reward": 1.0 if solved else -1.0,
        "reward_basis": "score",
        "steps": [{**one, "turn": turn} for turn, one in enumerate(steps)],
    }


def learn(memory: MemoryGraph, folder: Path, episodes: list[dict[str, Any]]) -> None:
    list(memory.ingest(log(folder, episodes)))
    memory.evolve()


def refresh(memory: MemoryGraph, domain: str) -> environment.Counts:
    store = memory._store
    run = Run.begun(store, "evolve", memory.settings)
    return store.write(lambda tx: environment.refresh(tx, domain, memory.settings, run, store.now()))


SHOP = [refund(number) for number in range(40)]
DATABASE = [query(number) for number in range(20)]


@pytest.fixture(scope="module")
def known(place: Place, tmp_path_factory: pytest.TempPathFactory) -> Iterator[MemoryGraph]:
    """The shop and the database, learned once for the tests that change nothing: they come first."""
    place.empty()
    with place.migrated() as store:
        memory = MemoryGraph(store, embedder("hashing"), Settings())
        learn(memory, tmp_path_factory.mktemp("shop"), SHOP)
        learn(memory, tmp_path_factory.mktemp("database"), DATABASE)
        yield memory


@pytest.fixture
def shop(memory: MemoryGraph, tmp_path: Path) -> MemoryGraph:
    """The shop for a test that changes it."""
    learn(memory, tmp_path, SHOP)
    return memory


def texts(memory: MemoryGraph, **chosen: Any) -> set[str]:
    return {one.statement for one in memory.environment(**chosen)}


def one(memory: MemoryGraph, beginning: str, **chosen: Any) -> EnvEntity:
    [found] = [each for each in memory.environment(**chosen) if each.statement.startswith(beginning)]
    return found


def test_a_tool_depends_on_the_one_whose_result_gives_its_arguments(known):
    found = one(known, "`refund` takes `order` from `orders[]` of the result of `find_order`.", kind="dependency")

    assert found.support == 20
    assert found.confidence == pytest.approx(21 / 42)
    assert known.query(
        "MATCH (a:Tool)-[d:DEPENDS_ON {domain: 'shop'}]->(b:Tool) RETURN a.name AS tool, b.name AS on, d.support AS n"
    ) == [{"tool": "refund", "on": "find_order", "n": 20}]


def test_what_works_only_after_something_else_is_told_with_the_tools_at_both_ends(known):
    found = one(known, "`refund` works only after `find_order`.", kind="dependency")

    assert known.query(
        "MATCH (:Tool {name: 'refund'})<-[:FROM_TOOL]-(n {key: $key})-[:TO_TOOL]->(t:Tool) RETURN t.name AS on",
        {"key": found.key},
    ) == [{"on": "find_order"}]


def test_what_every_working_call_was_given_is_told_without_its_number(known):
    found = one(known, "Wherever `refund` worked, it was given `desk`.")

    assert known.query("MATCH ({key: $key})-[:DEPENDS_ON]->(n) RETURN n.name AS name", {"key": found.key}) == [
        {"name": "desk"}
    ]


def test_an_error_constrains_its_tool_and_the_policies_that_meet_it_and_says_what_lifts_it(known):
    found = one(known, "`refund` can fail", kind="constraint")

    assert "Error: no such order" in found.statement
    assert found.statement.endswith("`find_order` lifts it.")
    constrained = known.query(
        "MATCH ({key: $key})-[:CONSTRAINS]->(n) RETURN labels(n)[0] AS label, coalesce(n.name, n.tool) AS name",
        {"key": found.key},
    )
    assert {"label": "Tool", "name": "refund"} in constrained
    assert {row["name"] for row in constrained if row["label"] == "Policy"}


def test_an_answer_that_comes_mostly_is_told_in_quotes_as_data(known):
    assert '`login` is answered with words that begin "Welcome back, friend." (quoted from logs, as data).' in texts(
        known, kind="regularity"
    )


def test_the_fields_that_later_steps_use_are_part_of_the_result(known):
    found = one(known, "The result of `find_order` holds `orders[]`", kind="structure")

    assert known.query("MATCH ({key: $key})-[:PART_OF]->(n) RETURN n.name AS whole", {"key": found.key}) == [
        {"whole": "result of find_order"}
    ]


def test_each_statement_rests_on_two_policies_that_are_active_and_stable(known):
    found = known.query(
        "MATCH (n:EnvEntity) OPTIONAL MATCH (n)-[:ABSTRACTED_FROM]->(p:Policy) "
        "WHERE p.status = 'active' AND p.stable_for >= 3 RETURN n.key AS key, n.status AS status, count(p) AS policies"
    )

    assert found
    assert all(row["policies"] >= 2 for row in found if row["status"] == "current")
    assert all(row["policies"] < 2 for row in found if row["status"] == "withdrawn")


def test_statements_have_the_direction_of_what_they_rest_on(known):
    [found] = known.query("MATCH (n:EnvEntity) WHERE n.embedding IS NULL RETURN count(n) AS statements")

    assert found == {"statements": 0}


def test_ids_that_differ_from_task_to_task_are_no_entities(known):
    assert not {
        name for name in (one.name for one in known.environment(kind="entity")) if "user" in name or "order-" in name
    }


def test_a_run_tells_which_statements_it_made(known):
    [found] = known.query(
        "MATCH (n:EnvEntity) OPTIONAL MATCH (n)-[:WAS_GENERATED_BY]->(r:Run) "
        "RETURN count(DISTINCT n) AS statements, count(DISTINCT CASE WHEN r IS NOT NULL THEN n END) AS told"
    )

    assert found["statements"] == found["told"] > 0


def test_a_statement_is_found_by_its_key_and_an_unknown_key_is_named(known):
    first = known.environment()[0]

    assert known.environment_entity(first.id) == first
    with pytest.raises(UnknownKey, match="nothing-such"):
        known.environment_entity("nothing-such")


def test_the_drawing_shows_tools_with_what_they_depend_on_and_what_constrains_them(known):
    drawn = known.environment_graph("shop")

    ends = {(edge.source, edge.type, edge.target) for edge in drawn.edges}
    assert ("test/refund", "DEPENDS_ON", "test/find_order") in ends
    constraint = one(known, "`refund` can fail")
    assert (constraint.key, "CONSTRAINS", "test/refund") in ends


def test_why_a_statement_is_told_names_its_policies_and_what_it_binds(known):
    found = one(known, "`refund` can fail", kind="constraint")

    told_why = known.explain(found.id)

    assert told_why.title == found.statement
    assert f"of {round((found.support + 1) / found.confidence) - 2} episodes" in told_why.lines[1]
    assert any("It constrains test/refund" in line for line in told_why.lines)
    assert any("It is respected by" in line for line in told_why.lines)
    assert sum("stable for" in line for line in told_why.lines) >= 2


def test_a_statement_leads_down_to_the_steps_that_it_rests_on(known):
    found = one(known, "`refund` can fail", kind="constraint")

    drawn = known.provenance(found.id)

    assert {"EnvEntity", "Policy", "Evidence", "Episode", "Tool"} <= {node.label for node in drawn.nodes}


def test_what_stands_as_an_id_in_the_arguments_is_no_entity(known):
    assert "harborside" not in {one.name for one in known.environment()}


def test_refreshing_again_changes_nothing(known):
    before = told(known)

    counts = refresh(known, "shop")

    assert (counts.added, counts.changed, counts.removed) == (0, 0, 0)
    assert told(known) == before


def test_sql_tells_the_columns_of_tables_the_tables_of_databases_and_what_can_be_joined(known):
    found = texts(known, domain="database", kind="structure")

    assert {
        "`Port` is a column of `ships`.",
        "`ships` is a table of `harbour`.",
        "`ports` and `ships` can be joined.",
    } <= found
    chain = known.query(
        "MATCH (c:EnvEntity)-[:PART_OF]->(t:EnvEntity)-[:PART_OF]->(d:EnvEntity) "
        "RETURN c.name AS column, t.name AS table, d.name AS database ORDER BY column"
    )
    assert {"column": "ships.Port", "table": "harbour.ships", "database": "harbour"} in chain
    assert not any("vessels" in text or "`port`" in text for text in found)


def test_a_table_that_is_not_there_is_no_entity(known):
    assert {one.name for one in known.environment(domain="database", kind="entity")} == {"harbour", "ports", "ships"}


@pytest.mark.parametrize("size", [1, 14])
def test_what_is_known_follows_from_the_inputs_and_not_from_how_many_came_at_once(shop, place, tmp_path, size):
    whole = told(shop)
    place.empty()
    with place.migrated():
        pass

    for start in range(0, len(SHOP), size):
        learn(shop, tmp_path, SHOP[start : start + size])

    assert told(shop) == whole
    assert shop.environment(status="current")


def test_a_rebuild_tells_the_same_again(shop):
    before = told(shop)

    shop.evolve(rebuild=True)

    assert told(shop) == before


def test_after_forgetting_it_is_known_what_the_other_episodes_tell(shop, place, tmp_path):
    gone = shop.query("MATCH (e:Episode) WHERE e.task_key = 'shop-2' RETURN e.key AS key")

    shop.forget(*(row["key"] for row in gone), dry_run=False)

    without = told(shop)
    place.empty()
    with place.migrated():
        pass
    learn(shop, tmp_path, [one for one in SHOP if one["task_key"] != "shop-2"])
    assert without == told(shop)


def test_after_forgetting_a_domain_nothing_of_it_is_known(shop):
    shop.forget(domain="shop", dry_run=False)

    assert shop.environment() == ()
    assert shop.query("MATCH (:Tool)-[d:DEPENDS_ON]->() RETURN count(d) AS edges") == [{"edges": 0}]
    assert shop.query("MATCH (d:Decision) RETURN count(d) AS decisions") == [{"decisions": 0}]


def test_an_evolve_that_died_while_it_looked_at_the_environment_is_repeated_with_the_same_result(
    memory, place, tmp_path, monkeypatch
):
    learn(memory, tmp_path, SHOP)
    undisturbed = told(memory)
    place.empty()
    with place.migrated():
        pass
    list(memory.ingest(log(tmp_path, SHOP)))

    with monkeypatch.context() as patched:
        patched.setattr(evolving, "INPUTS_A_TRANSACTION", 15)
        patched.setattr(environment, "_rule", dying)
        with pytest.raises(KeyboardInterrupt):
            memory.evolve()
    assert memory.environment() == ()
    memory.evolve()

    assert told(memory) == undisturbed


def dying(*_: object) -> None:
    raise KeyboardInterrupt


def test_where_all_inputs_fill_a_transaction_the_last_one_still_tells_of_the_environment(shop, tmp_path, monkeypatch):
    before = told(shop)

    monkeypatch.setattr(evolving, "INPUTS_A_TRANSACTION", len(SHOP) // 2)
    shop.evolve(rebuild=True)

    assert told(shop) == before


def active(memory: MemoryGraph) -> list[str]:
    found = memory.query(
        "MATCH (p:Policy) WHERE p.status = 'active' AND p.stable_for >= 3 RETURN p.key AS key ORDER BY key"
    )
    return [row["key"] for row in found]


def test_what_fewer_than_two_policies_still_bear_is_withdrawn_and_binds_nothing(shop):
    before = {one.key for one in shop.environment(status="current")}

    for policy in active(shop)[1:]:
        shop.retire(policy, reason="the shop has closed", author="a person")

    assert shop.environment(status="current") == ()
    assert before <= {one.key for one in shop.environment(status="withdrawn")}
    [bound] = shop.query("MATCH (n)-[r:DEPENDS_ON|CONSTRAINS|PART_OF|RESPECTS]->() RETURN count(r) AS edges")
    assert bound == {"edges": 0}


def test_a_decision_tells_why_a_statement_was_withdrawn(shop):
    for policy in active(shop)[1:]:
        shop.retire(policy, reason="the shop has closed", author="a person")

    found = one(shop, "`refund` works only after `find_order`.")
    [told_why] = shop.query(
        "MATCH (d:Decision)-[:ABOUT]->({key: $key}) RETURN d.action AS action, d.reason AS reason, d.author AS author",
        {"key": found.key},
    )
    assert told_why["action"] == "withdraw"
    assert told_why["reason"].endswith("1 is active and stable, and 2 are needed")
    assert told_why["author"] == "msce_graph"
    assert any("withdraw, current to withdrawn" in line for line in shop.explain(found.id).lines)


def test_what_is_borne_again_is_current_again_and_no_decision_says_otherwise(shop):
    statements = "MATCH (d:Decision)-[:ABOUT]->(:EnvEntity) RETURN count(d) AS decisions"
    known = told(shop)
    status = "MATCH (p:Policy) WHERE p.key IN $keys SET p.status = $status RETURN count(p) AS policies"
    fallen = active(shop)[1:]
    shop.query(status, {"keys": fallen, "status": "retired"}, write=True)
    refresh(shop, "shop")
    assert shop.environment(status="current") == ()
    assert shop.query(statements)[0]["decisions"] == len(shop.environment())

    shop.query(status, {"keys": fallen, "status": "active"}, write=True)
    refresh(shop, "shop")

    assert told(shop) == known


def test_what_no_pair_of_policies_ever_bore_is_gone(shop):
    shop.query("MATCH (p:Policy) SET p.settled = false RETURN count(p) AS policies", write=True)

    counts = refresh(shop, "shop")

    assert shop.environment() == ()
    assert counts.removed > 0


def test_a_skill_respects_the_constraints_on_its_tools_until_it_is_archived(shop):
    respected = "MATCH (s:Skill)-[:RESPECTS]->(n:EnvEntity) RETURN DISTINCT n.kind AS kind, n.status AS status"
    assert shop.query(respected) == [{"kind": "constraint", "status": "current"}]

    shop.query("MATCH (s:Skill) SET s.status = 'archived' RETURN count(s) AS skills", write=True)
    refresh(shop, "shop")

    assert shop.query(respected) == []


def test_a_domain_of_too_few_settled_policies_teaches_nothing(memory, tmp_path):
    learn(memory, tmp_path, [refund(number) for number in range(4)])

    assert memory.environment() == ()


def test_another_domain_is_left_alone(shop, tmp_path):
    before = texts(shop, domain="shop")

    learn(shop, tmp_path, DATABASE)

    assert texts(shop, domain="shop") == before
    assert texts(shop, domain="database")


def test_a_domain_that_is_not_there_is_drawn_as_nothing_but_itself(memory):
    assert [node.title for node in memory.environment_graph("nowhere").nodes] == ["nowhere"]
