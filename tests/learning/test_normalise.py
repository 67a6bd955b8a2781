import json
from datetime import UTC, datetime, timedelta
from types import SimpleNamespace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from msce_graph.learning.normalise import cut, is_extension, normalise, vector_text
from msce_graph.records import Call, RecordedEpisode, RecordedStep
from msce_graph.settings import Settings

NOW = datetime(2025, 3, 1, tzinfo=UTC)
SECRET = "ghp_" + "a1B2" * 9


def half(reflection, **context):
    return SimpleNamespace(alpha=0.5)


def recorded(*steps, **told):
    return RecordedEpisode(
        **{"coordinates": ("a.json", "7"), "task": "Send parcel P-100", "source_format": "native", "source": "a.json"}
        | told,
        steps=steps,
    )


def call(turn, name, arguments, observation="", **told):
    return RecordedStep(turn=turn, call=Call(name=name, arguments=arguments), observation=observation, **told)


def normal(episode, origin="own", **parameters):
    return normalise(episode, namespace="test", origin=origin, settings=Settings(**parameters), now=NOW, grade=half)


def test_an_episode_is_named_by_its_coordinates_and_a_step_by_its_index():
    found = normal(recorded(call(0, "look", {}), call(1, "send", {}), coordinates=("runs/a.json", "7", "0\x1b[1m")))

    assert found.episode.id == "runs/a.json/7/0[1m"
    assert [step.id for step in found.evidence] == ["runs/a.json/7/0[1m#0", "runs/a.json/7/0[1m#1"]
    assert (found.episode.step_count, found.episode.tool_steps) == (2, 2)


def test_a_call_keeps_its_name_and_a_command_is_read():
    steps = (
        call(0, "find_parcel", '{"id": "P-100"}'),
        RecordedStep(turn=1, action="cd /srv && git status", language="shell"),
        RecordedStep(turn=2, action="Shall I send it?", is_action=False),
        RecordedStep(turn=3, action="mumble", kind="text"),
    )

    found = normal(recorded(*steps)).evidence

    assert [(step.tool, step.kind) for step in found] == [
        ("find_parcel", "function"),
        ("shell:git status", "shell"),
        (None, "text"),
        (None, "text"),
    ]
    assert [step.arguments for step in found] == [{"id": "P-100"}, {}, {}, {"text": "mumble"}]
    assert found[0].action == 'find_parcel({"id": "P-100"})'


def test_talk_is_never_read_as_a_command():
    step = RecordedStep(turn=0, action="rm -rf /", is_action=False, language="shell")

    assert normal(recorded(step)).evidence[0].tool is None


def test_no_secret_is_left_anywhere():
    step = RecordedStep(
        turn=0,
        state=f"my token is {SECRET}",
        call=Call(name="login", arguments={"token": SECRET, "nested": [{"note": SECRET}]}),
        observation={"seen": SECRET},
        reflection=f"I use {SECRET}",
    )
    typed = RecordedStep(turn=1, action=f"curl -u me:{SECRET} https://shop.example", language="shell")

    found = normal(recorded(step, typed, task=f"log in with {SECRET}", outcome=f"ok {SECRET}"))

    assert SECRET not in found.episode.model_dump_json()
    assert not any(SECRET in step.model_dump_json() for step in found.evidence)


def test_a_secret_that_a_cut_would_halve_is_gone_too():
    step = call(0, "read", {}, "x" * 1090 + SECRET + "y" * 3000)

    observation = normal(recorded(step)).evidence[0].observation

    assert SECRET[:12] not in observation
    assert len(observation) <= 2000


def test_a_long_command_is_named_from_all_of_it():
    step = RecordedStep(turn=0, action=f"echo '{'a' * 5000}' && make -j 4", language="shell")

    found = normal(recorded(step)).evidence[0]

    assert found.tool == "shell:make"
    assert len(found.action) <= 2000


def test_a_secret_before_a_command_does_not_hide_it():
    step = RecordedStep(turn=0, action="PGPASSWORD=hunter22x psql --password hunter22x shop", language="shell")

    found = normal(recorded(step)).evidence[0]

    assert found.tool == "shell:psql"
    assert "hunter22x" not in found.model_dump_json()
    assert found.arguments["operands"][-1] == "shop"
    assert len(found.arguments["operands"]) == 2


def test_an_observation_keeps_its_structure_where_it_fits():
    small, long_text, many = {"id": "k_1"}, {"text": "w" * 9000}, [{"n": n} for n in range(900)]

    found = normal(
        recorded(call(0, "a", {}, json.dumps(small)), call(1, "b", {}, long_text), call(2, "c", {}, many))
    ).evidence

    assert found[0].observation == small
    assert found[1].observation["text"].count("characters cut") == 1
    assert len(json.dumps(found[1].observation)) <= 2000
    assert isinstance(found[2].observation, str)
    assert len(found[2].observation) <= 2000


def test_arguments_beyond_any_use_become_one_text():
    found = normal(recorded(call(0, "put", {"rows": list(range(50_000))}))).evidence[0]

    assert found.tool == "put"
    assert list(found.arguments) == ["text"]
    assert len(found.arguments["text"]) <= 2000


def test_numbers_that_json_has_not_are_kept_as_text():
    found = normal(recorded(call(0, "set", {"x": float("inf")}, '{"y": NaN}'))).evidence[0]

    assert found.arguments == {"x": "inf"}
    assert found.observation == {"y": "nan"}


def test_a_value_is_filled_back_from_the_outcome_by_reflections():
    steps = [call(0, "a", {}), call(1, "b", {}, reflection="since a is closed"), call(2, "c", {})]

    found = normal(recorded(*steps, score=1.0))
    plain = normal(recorded(*steps, score=1.0), reflection="none")

    assert [step.alpha for step in found.evidence] == [0, 0.5, 0]
    assert [step.value for step in found.evidence] == pytest.approx([0.855, 0.95, 1])
    assert [step.value for step in plain.evidence] == pytest.approx([0.81, 0.9, 1])


def test_without_an_outcome_every_value_is_null():
    found = normal(recorded(call(0, "a", {}), outcome="looked good"))

    assert (found.episode.reward, found.episode.solved, found.episode.reward_basis) == (None, None, None)
    assert found.evidence[0].value is None


def test_a_step_carries_the_signature_of_the_error_that_it_answers():
    steps = (
        call(0, "read", {}, "Error: file /tmp/a1 is missing", is_error=True),
        call(1, "list", {}),
        call(2, "read", {}),
    )

    assert [step.error_signature for step in normal(recorded(*steps)).evidence] == ["", "Error: file * is missing", ""]


def test_arguments_are_linked_to_results_messages_and_the_task():
    steps = (
        call(0, "find", {"id": "P-100"}, {"depot": "D-42"}, state="Send parcel P-100"),
        RecordedStep(turn=1, action="When?", is_action=False, state='{"depot": "D-42"}', observation="On Friday"),
        call(2, "send", {"depot": "D-42", "day": "Friday", "id": "P-100"}, state="On Friday"),
    )

    found = normal(recorded(*steps))

    assert [(d.step, d.argument, d.source, d.path) for d in found.derivations] == [
        (2, "depot", 0, "depot"),
        (2, "day", 1, None),
    ]
    assert [step.told for step in found.evidence] == [{"id": "task"}, {}, {"day": "message", "id": "task"}]


def test_what_a_tool_answered_is_no_message():
    steps = (call(0, "find", {}, "box B-77"), call(1, "open", {"box": "B-77"}, state="box B-77"))

    assert normal(recorded(*steps)).evidence[1].told == {}


def test_the_search_text_speaks_of_the_step_and_is_short():
    step = call(0, "send", {"depot": "D-42"}, "sent " * 900, reflection="since it is near " * 90)

    text = normal(recorded(step, task="Send parcels " * 300)).evidence[0].text

    assert len(text) <= 1500
    assert all(word in text for word in ("Send parcels", "send", "D-42", "since it is near", "sent"))


@pytest.mark.parametrize(
    ("given_origin", "own_word", "kept"),
    [("own", None, "own"), ("own", "untrusted", "untrusted"), ("untrusted", "own", "untrusted")],
)
def test_no_source_raises_the_trust_in_itself(given_origin, own_word, kept):
    assert normal(recorded(origin=own_word), origin=given_origin).episode.origin == kept


def test_the_domain_is_the_stem_of_the_file_where_the_format_has_none():
    assert normal(recorded(source="logs/depot.v2.jsonl.gz")).episode.domain == "depot.v2"
    assert normal(recorded(domain="post")).episode.domain == "post"


def test_tries_of_one_task_share_a_key_made_of_its_text():
    first, second = normal(recorded(coordinates=("a",))), normal(recorded(coordinates=("b",)))

    assert first.episode.task_key == second.episode.task_key
    assert len(first.episode.task_key) == 16
    assert normal(recorded(task="Other")).episode.task_key != first.episode.task_key


def test_a_native_reward_stands_and_says_what_it_rests_on():
    said = normal(recorded(reward=0.4, reward_basis="feedback")).episode

    assert (said.reward, said.solved, said.reward_basis) == (0.4, True, "feedback")
    assert normal(recorded(reward=0.4, reward_basis="score")).episode.solved is False
    assert normal(recorded(reward=0.4, reward_basis="score"), solved_at=0.7).episode.solved is True


def test_a_score_out_of_range_is_quoted():
    with pytest.raises(ValueError, match="7"):
        normal(recorded(score=7.0))


def test_another_outcome_changes_the_content_and_not_the_trajectory():
    won, lost = normal(recorded(call(0, "a", {}), passed=True)), normal(recorded(call(0, "a", {}), passed=False))

    assert won.episode.content_sha256 != lost.episode.content_sha256
    assert won.episode.trajectory_sha256 == lost.episode.trajectory_sha256


def test_time_and_namespace_do_not_change_the_content():
    episode = recorded(call(0, "a", {"x": 1}, '{"y": 2}'))
    later = normalise(
        episode, namespace="other", origin="untrusted", settings=Settings(), now=NOW + timedelta(days=1), grade=half
    )

    assert later.episode.content_sha256 == normal(episode).episode.content_sha256


def test_a_log_that_grew_extends_what_is_stored():
    steps = [call(n, "look", {"n": n}, f"seen {n}") for n in range(4)]
    old, new = (normal(recorded(*steps[:n])).evidence for n in (2, 4))

    assert is_extension(old, new)
    assert not is_extension(new, old)
    assert not is_extension(new, new)
    assert not is_extension(normal(recorded(call(0, "look", {"n": 9}))).evidence, new)


@pytest.mark.parametrize(("answer", "goes_on"), [("", True), ("seen 0", False)])
def test_a_log_that_ended_before_an_answer_goes_on_with_it(answer, goes_on):
    old = normal(recorded(call(0, "look", {"n": 0}, answer))).evidence
    answered = normal(recorded(call(0, "look", {"n": 0}, "seen 1"))).evidence
    gone_on = normal(recorded(call(0, "look", {"n": 0}, "seen 1"), call(1, "look", {"n": 1}))).evidence

    assert is_extension(old, answered) is goes_on
    assert is_extension(old, gone_on) is goes_on


def test_what_is_embedded_has_no_argument_values():
    assert vector_text("Send it", "send", ["depot", "day"], "Error: *") == "Send it\nsend\ndepot day\nError: *"


@settings(deadline=None)
@given(st.text(max_size=400), st.integers(0, 300))
def test_a_cut_text_is_never_over_the_limit_and_cut_once(text, limit):
    short = cut(text, limit)

    assert len(short) <= limit
    assert cut(short, limit) == short
    assert (short == text) == (len(text) <= limit)


@settings(deadline=None)
@given(st.integers(201, 100_000), st.integers(200, 5000))
def test_a_cut_keeps_head_and_tail_and_says_how_much_is_gone(length, limit):
    text = "a" * (length // 2) + "b" * (length - length // 2)
    short = cut(text, limit)

    if length > limit:
        head, rest = short.split("[... ")
        told, tail = rest.split(" characters cut ...]")
        assert len(head) + len(tail) + int(told) == length
        assert text.startswith(head)
        assert text.endswith(tail)
        assert abs(len(head) / (len(head) + len(tail)) - 0.55) < 0.02


texts = st.text(st.characters(), max_size=60)
texts |= st.builds(lambda text, times: text * times, texts, st.integers(1, 30))
json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)
wide_values = json_values | st.dictionaries(st.text(), texts, max_size=4)
calls = st.builds(Call, name=texts, arguments=texts | st.dictionaries(st.text(), json_values, max_size=3))
recorded_steps = st.builds(
    RecordedStep,
    turn=st.just(0),
    state=texts,
    action=texts,
    call=st.none() | calls,
    language=st.sampled_from([None, "shell", "sql", "verb"]),
    is_action=st.booleans(),
    observation=texts | wide_values | wide_values.map(json.dumps),
    is_error=st.booleans(),
    reflection=texts,
)
episodes = st.builds(
    recorded,
    recorded_steps,
    recorded_steps.map(lambda step: step.model_copy(update={"turn": 1})),
    task=texts,
    score=st.none() | st.floats(0, 1),
)


@settings(deadline=None)
@given(episodes)
def test_any_episode_is_normalised_and_the_same_way_again(episode):
    found = normal(episode)

    assert found == normal(episode)
    assert all(step.value is None or -1 <= step.value <= 1 for step in found.evidence)
    json.dumps([step.model_dump(mode="json") for step in found.evidence], allow_nan=False, ensure_ascii=False).encode()


@settings(deadline=None)
@given(episodes)
def test_what_is_normalised_reads_back_unchanged(episode):
    limits = {"state_limit": 200, "observation_limit": 200}
    found = normal(episode, **limits)
    again = normal(
        recorded(
            *(
                RecordedStep(
                    **step.model_dump(
                        include={"turn", "state", "action", "tool", "kind", "arguments", "observation", "is_error"}
                        | {"reflection", "mentions"}
                    )
                )
                for step in found.evidence
            ),
            task=found.episode.task,
            score=episode.score,
        ),
        **limits,
    )

    assert again.episode == found.episode
    assert again.evidence == found.evidence
    assert again.derivations == found.derivations
