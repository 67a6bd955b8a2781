import pytest
from hypothesis import given
from hypothesis import strategies as st

from msce_graph.learning.lifecycle import (
    Condition,
    SkillLife,
    advance,
    gate_1_reasons,
    policy_status,
    relation,
)
from msce_graph.settings import Settings
from tests.support import cases

SETTINGS = Settings()
CONDITIONS = {
    "policy retired": Condition("policy", holds=False),
    "policy active": Condition("policy", holds=True),
    "gate 1 fails": Condition("gate_1", holds=False),
    "gate 1 holds": Condition("gate_1", holds=True),
    "check fails": Condition("checks", holds=False),
    "checks hold": Condition("checks", holds=True),
}
TOLD = ("pass", "fail", "correction", "rejection", "praise", "archive", "approve", "pin")
events = st.lists(st.sampled_from([*TOLD, *CONDITIONS.values()]), max_size=40)


def statuses_of_policy(given):
    status = "candidate" if given["stance"] == "follow" else None
    statuses = []
    for episode in given["episodes"]:
        status = policy_status(
            status,
            given["stance"],
            support=episode["support"],
            gain=episode["gain"],
            q=episode.get("q"),
            settings=SETTINGS,
        )
        statuses.append(status)
    return {"statuses": statuses}


def lives(events, settings=SETTINGS):
    life = SkillLife()
    for event in events:
        life = advance(life, event, settings)
        yield life


def answer(given):
    match given["what"]:
        case "policy":
            return statuses_of_policy(given)
        case "edges":
            edges = {e["id"]: relation(given["stance"], e["value"], SETTINGS.v_min) for e in given["evidence"]}
            supporting = {e["episode"] for e in given["evidence"] if edges[e["id"]] == "SUPPORTS"}
            return {"edges": edges, "support": len(supporting)}
        case "gate_1":
            policy, settings = given["policy"], Settings(trust_gain=given["trust_gain"])
            return {"passes": not gate_1_reasons(**policy, settings=settings)}
        case "skill":
            settings = Settings(require_approval=given.get("require_approval", False))
            told = [CONDITIONS.get(event, event) for event in given["events"]]
            return {
                "after": [
                    {"status": life.status, "reliability": pytest.approx(life.reliability, abs=1e-9)}
                    for life in lives(told, settings)
                ]
            }


@pytest.mark.parametrize(("given", "expect"), cases("lifecycle"))
def test_the_case_holds(given, expect):
    found = answer(given)

    if "after" not in expect:
        assert found == expect
        return
    assert len(found["after"]) == len(expect["after"])
    for life, asserted in zip(found["after"], expect["after"], strict=True):
        assert {name: life[name] for name in asserted} == asserted


def test_gate_1_names_every_reason_with_its_numbers():
    reasons = gate_1_reasons(
        status="candidate", stance="follow", gain=0.08, q=0.25, evidence_valid=True, settings=SETTINGS
    )

    assert reasons == (
        "it is candidate, not active",
        "gain 0.0800 is not above 0.1",
        "q 0.2500 is not below 0.1",
    )


def test_a_policy_without_a_gain_passes_no_gate_and_keeps_its_status():
    assert policy_status("candidate", "follow", support=5, gain=None, q=None, settings=SETTINGS) == "candidate"
    [reason, *_] = gate_1_reasons(
        status="active", stance="follow", gain=None, q=0.01, evidence_valid=True, settings=SETTINGS
    )
    assert "gain unknown" in reason


@pytest.mark.parametrize("value", [0.1 + 0.2 - 0.2, 0.3 - 0.2, 1.1 - 1.0])
def test_a_sum_of_floats_does_not_miss_a_threshold_by_its_last_bit(value):
    assert relation("follow", value, 0.1) == "SUPPORTS"
    assert relation("avoid", -value, 0.1) == "SUPPORTS"


def test_approval_before_the_three_passes_counts_as_approval_after_them():
    settings = Settings(require_approval=True)

    *_, early = lives(["approve", "pass", "pass", "pass"], settings)
    *_, late = lives(["pass", "pass", "pass", "approve"], settings)
    *_, interrupted = lives(["pass", "pass", "pass", "fail", "approve"], settings)

    assert (early.status, late.status, interrupted.status) == ("active", "active", "active")


def test_trials_while_it_is_suspended_count_when_it_returns():
    *_, life = lives(
        ["pass", "pass", CONDITIONS["check fails"], "pass", CONDITIONS["checks hold"]],
    )

    assert life.status == "active"


@given(events)
def test_nothing_revives_an_archived_skill(events):
    statuses = [life.status for life in lives(events)]

    if "archived" in statuses:
        assert set(statuses[statuses.index("archived") :]) == {"archived"}


@given(st.lists(st.sampled_from(["pass", "fail", "correction", *CONDITIONS.values()]), max_size=40))
def test_only_a_person_archives_a_pinned_skill(events):
    *_, life = lives(["pin", *events])

    assert life.status != "archived"
    assert advance(life, "archive", SETTINGS).status == "archived"


@given(events)
def test_a_skill_is_suspended_exactly_while_a_reason_stands(events):
    standing = set()
    for event, life in zip(events, lives(events), strict=True):
        if isinstance(event, Condition):
            standing = standing - {event.reason} if event.holds else standing | {event.reason}
        if life.status != "archived":
            assert (life.status == "suspended") == bool(standing)


@given(
    st.sampled_from([None, "candidate", "active", "retired"]),
    st.sampled_from(["follow", "avoid"]),
    st.integers(0, 20),
    st.one_of(st.none(), st.floats(-2, 2)),
    st.one_of(st.none(), st.floats(0, 1)),
)
def test_a_retired_policy_to_follow_is_never_active_at_once(status, stance, support, gain, q):
    after = policy_status(status, stance, support=support, gain=gain, q=q, settings=SETTINGS)

    assert not (stance == "follow" and status == "retired" and after == "active")
    assert support > 0 or after == "retired"


@given(st.sampled_from(["follow", "avoid"]), st.floats(-1, 1))
def test_what_supports_one_stance_contradicts_the_other(stance, value):
    other = "avoid" if stance == "follow" else "follow"
    opposite = {"SUPPORTS": "CONTRADICTS", "CONTRADICTS": "SUPPORTS", "BORDERS": "BORDERS"}

    assert relation(other, value, 0.1) == opposite[relation(stance, value, 0.1)]
