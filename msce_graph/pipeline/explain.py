"""Why a node is what it is, in words: read what it follows from, and tell it with its numbers."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

from msce_graph.errors import UnknownKey
from msce_graph.learning import explanation
from msce_graph.learning.fold import PolicyState, ready
from msce_graph.learning.normalise import local_context
from msce_graph.learning.redaction import redact
from msce_graph.learning.reflection import grade
from msce_graph.learning.wording import code, counted, listed, quoted, step_text, told
from msce_graph.pipeline import checking
from msce_graph.pipeline import domain as graph
from msce_graph.pipeline.language import grade_of
from msce_graph.records import Evidence, Record, RewardBasis
from msce_graph.settings import Settings
from msce_graph.store import Store, Transaction, rows

RELATIONS = {"SUPPORTS": "supports", "CONTRADICTS": "contradicts", "BORDERS": "borders on"}
WITNESSES = 5
"""Witnesses of a failing check that are told."""
EXAMPLES = 3


class Explanation(Record):
    """A node and why it is what it is, a sentence a line; indented lines belong to the one above."""

    key: str
    label: str
    title: str
    lines: tuple[str, ...]


def explain(store: Store, settings: Settings, key: str) -> Explanation:
    """Say in words why the node of this full key is what it is; raise UnknownKey where there is none."""
    return store.read(lambda tx: _explained(tx, settings, key))


def _explained(tx: Transaction, settings: Settings, key: str) -> Explanation:
    found = tx.run("provenance/nodes", keys=[key], properties=["id"])
    if not found:
        raise UnknownKey("node", key)
    label = found[0]["label"]
    title, lines = _TELLERS[label](tx, settings, key) if label in _TELLERS else (label, _decisions(tx, key))
    return Explanation(key=key, label=label, title=redact(title), lines=tuple(redact(line) for line in lines))


_Told = tuple[str, list[str]]

_BASES: Mapping[RewardBasis, str] = MappingProxyType(
    {
        "score": "its score",
        "feedback": "what people said of it",
        "inferred": "what its user said after the work, which was inferred and not scored",
        "self_reported": "its agent's own word",
    }
)


# L1 -----------------------------------------------------------------------------------------------------------------


def _episode(tx: Transaction, settings: Settings, key: str) -> _Told:
    episode = rows.episode(tx.run("episode/get", key=key)[0])
    lines = [
        f"Task {code(episode.task_key)} of {code(episode.domain)}: {quoted(redact(episode.task))}.",
        f"From {code(episode.source)} ({episode.source_format}), origin {episode.origin}; "
        f"{counted(episode.step_count, 'step')}, {episode.tool_steps} of them call a tool"
        + ("." if episode.is_complete else "; it is not complete."),
    ]
    if episode.reward is None:
        lines.append("Its outcome is unknown: R and every V stay unknown, and nothing is learned from it.")
    else:
        went = "solved" if episode.solved else "not solved"
        lines.append(f"R = {episode.reward:.4f}, by {_BASES[episode.reward_basis or 'score']}: {went}.")
        taken = "has been taken in" if episode.is_learned else "waits to be taken in by `msce evolve`"
        lines.append(f"It is input {episode.sequence} of the learning and {taken}.")
        lines.append(f"Values, from the last step back: V_t = alpha_t R + (1 - alpha_t) {settings.gamma:g} V_t+1.")
    steps = [
        (
            f"#{row['index']} {told(row['tool']) if row['tool'] else 'talk'}{', an error' if row['is_error'] else ''}",
            row["value"],
            row["alpha"],
        )
        for row in tx.run("explain/values", key=key)
    ]
    if episode.reward is not None:
        lines += explanation.back_fill_told(steps, episode.reward, settings.gamma)
    for row in tx.run("explain/bearing", key=key):
        lines.append(
            f"{row['supports']} of its steps for, {row['contradicts']} against and {row['borders']} neutral to "
            f"{row['key']}: {row['title']} ({row['stance']}, {row['status']})."
        )
    for row in tx.run("explain/offered", key=key):
        lines.append(f"Its agent was offered the skill {row['key']} ({row['name']}).")
    return f"Episode of {code(episode.domain)}, {_went(episode.solved)}", lines


def _went(solved: bool | None) -> str:
    return "outcome unknown" if solved is None else "solved" if solved else "not solved"


def _evidence(tx: Transaction, settings: Settings, key: str) -> _Told:
    [row] = tx.run("explain/evidence", key=key)
    step = rows.evidence(row)
    what = told(step.tool) if step.tool else "talk"
    lines = [f"Step {step.index} (turn {step.turn}) of {row['episode_key']}: {what}."]
    if step.tool is None:
        lines.append("It calls no tool, so it takes no part in policies.")
    if step.error_signature:
        lines.append(f"It answers an error like {quoted(step.error_signature)}.")
    if step.is_error:
        lines.append("It ended in an error.")
    for edge in tx.run("explain/origins", key=key):
        at = f" at {code(edge['path'])}" if edge["path"] else ""
        lines.append(f"Its argument {code(edge['argument'])} came from {edge['key']}{at}.")
    lines.append(_reflection(tx, step, row["task"], settings))
    worth = explanation.value_told(
        step.value, reward=row["reward"], alpha=step.alpha, following=row["next_value"], gamma=settings.gamma
    )
    lines.append(f"{worth}.")
    lines.append(f"It is {explanation.kind_told(step.value, settings.v_min)}.")
    lines += _homes(tx, key, is_scored=step.value is not None and step.tool is not None, is_learned=row["is_learned"])
    for cited in tx.run("explain/citing", key=key):
        lines.append(f"The skill {cited['key']} ({cited['name']}) cites it as {cited['role']}.")
    return f"{what} at step {step.index} of {row['episode_key']}", lines


def _reflection(tx: Transaction, step: Evidence, task: str, settings: Settings) -> str:
    if settings.reflection == "none":
        return "Reflections are not graded in this store: alpha 0."
    if not step.reflection.strip():
        return "It has no reflection: alpha 0."
    graded = grade_of(tx, step.key) or grade(
        step.reflection,
        state=local_context(task, step.state),
        tool=step.tool,
        arguments=step.arguments,
        observation=step.observation,
    )
    kept = "" if abs(graded.alpha - step.alpha) < 1e-9 else f" (when it was valued: {step.alpha:.4f})"
    return f"Its reflection weighs {explanation.grade_told(graded)}{kept}."


def _homes(tx: Transaction, key: str, *, is_scored: bool, is_learned: bool) -> list[str]:
    lines = []
    for home in tx.run("explain/homes", key=key):
        if home["relation"] == "CANDIDATE_FOR":
            lines.append(f"It waits in the pool of {home['key']}, which has no policy yet.")
        else:
            lines.append(
                f"It {RELATIONS[home['relation']]} {home['key']}: {home['title']} ({home['stance']}, "
                f"{home['status']}), similarity {home['similarity']:.4f}."
            )
    if not lines and is_scored and not is_learned:
        lines.append("It has not been taken in yet: `msce evolve` does.")
    return lines


# L2 -----------------------------------------------------------------------------------------------------------------


def _policy(tx: Transaction, settings: Settings, key: str) -> _Told:
    policy = rows.policy(tx.run("policy/get", key=key)[0])
    loaded = graph.opened(tx, policy.domain).state
    state = loaded.policies[policy.id]
    lines = [
        policy.trigger,
        *(f"  {number}. {step_text(step)}" for number, step in enumerate(policy.procedure, start=1)),
        _sides(state),
        *_inferred(tx, key),
        explanation.status_told(state, settings),
        *explanation.gain_told(state, loaded.pool, settings),
        *explanation.test_told(state, loaded.pool, _family(loaded.policies, state, settings), settings),
    ]
    if policy.attempts:
        lines.append(
            f"After such an error, what had failed worked later in {policy.resolved} of "
            f"{counted(policy.attempts, 'case')}."
        )
    lines += explanation.gates_told(state, settings)
    if policy.stance == "follow":
        lines.append(explanation.draft_told(state, is_ready=state.id in ready(loaded, settings)))
    for row in tx.run("policy/supporting", key=key, limit=EXAMPLES):
        lines.append(f"For it, among others: {row['evidence']} (V {row['value']:+.4f}).")
    for row in tx.run("policy/contradicting", key=key, limit=EXAMPLES):
        lines.append(f"Against it, among others: {row['evidence']} (V {row['value']:+.4f}).")
    return policy.title, [*lines, *_decisions(tx, key)]


def _sides(state: PolicyState) -> str:
    return (
        f"Evidence: {counted(state.support, 'episode')} for it, {state.contradicting} against it and "
        f"{state.bordering} neutral; {counted(state.supports, 'supporting step')} in all."
    )


def _inferred(tx: Transaction, policy: str) -> list[str]:
    """Tell how much of a policy's support has an outcome that nobody scored, where any has."""
    [found] = tx.run("explain/bases", key=policy)
    if not found["inferred"]:
        return []
    alone = (
        ", so its skill stays on trial until scored episodes try it" if found["inferred"] == found["episodes"] else ""
    )
    return [
        f"Of the episodes for it {found['inferred']} of {found['episodes']} have an outcome that was only inferred "
        f"from words{alone}."
    ]


def _family(policies: Mapping[str, PolicyState], state: PolicyState, settings: Settings) -> int:
    """Return how many policies the q of one is corrected for."""
    return sum(p.stance == state.stance and p.support >= settings.n_min for p in policies.values())


def _pattern(tx: Transaction, settings: Settings, key: str) -> _Told:
    [row] = tx.run("explain/pattern", key=key)
    after = f" after an error like {quoted(row['error_signature'])}" if row["error_signature"] else ""
    lines = [f"The pool of {told(row['tool'])} in {code(row['domain'])}{after}."]
    trajectories = {True: 0, False: 0}
    for side in tx.run("pattern/waiting", patterns=[key], v_min=settings.v_min):
        trajectories[side["is_positive"]] = len(side["trajectories"])
    lines += [f"The policy {policy} was induced from it." for policy in row["policies"]]
    if row["waiting"]:
        lines.append(
            f"{counted(row['waiting'], 'step')} wait in it, of {trajectories[True]} different episodes that went well "
            f"and {trajectories[False]} that went badly; {settings.n_min} of one side induce a policy."
        )
    return f"Pattern of {told(row['tool'])}{' after an error' if row['error_signature'] else ''}", lines


# Skills -------------------------------------------------------------------------------------------------------------


def _skill(tx: Transaction, settings: Settings, key: str) -> _Told:
    skill = rows.skill(tx.run("skill/get", key=key)[0])
    [versions] = tx.run("explain/versions", key=key)
    loaded = graph.opened(tx, versions["domain"]).state
    state = loaded.policies[versions["policy"]]
    lines = [
        f"{skill.name}, version {skill.version}: {skill.description}",
        f"It is {skill.status}{' and pinned' if skill.pinned else ''}, drafted from {tx.namespace}/{state.id}.",
    ]
    if versions["before"]:
        lines.append(f"It took the place of {versions['before']}.")
    if versions["after"]:
        lines.append(f"{versions['after']} took its place.")
    lines += [_sides(state), *_inferred(tx, f"{tx.namespace}/{state.id}")]
    lines += explanation.gain_told(state, loaded.pool, settings)
    lines += explanation.test_told(state, loaded.pool, _family(loaded.policies, state, settings), settings)
    lines += explanation.gates_told(state, settings)
    lines += _checks(checking.verified(tx, settings, key))
    for row in tx.run("explain/citations", key=key):
        shown = f", {row['shown']} of them shown" if row["role"] == "example" else ""
        lines.append(
            f"It cites {counted(row['steps'], 'step')} of {counted(row['episodes'], 'episode')} as {row['role']}"
            f"{shown}."
        )
    lines.append(explanation.trials_told(skill, settings))
    return skill.title, [*lines, *_decisions(tx, key)]


def _checks(verification: checking.Verification) -> list[str]:
    lines = []
    for check in verification.checks:
        if check.holds:
            lines.append(f"Check {check.name} holds.")
            continue
        more = len(check.witnesses) - WITNESSES
        told = listed(check.witnesses[:WITNESSES]) + (f" and {more} more" if more > 0 else "")
        lines.append(f"Check {check.name} fails: {told}.")
    return lines


# L3 -----------------------------------------------------------------------------------------------------------------

LINKS = {
    "FROM_TOOL": "The tool that depends is {}",
    "TO_TOOL": "The tool that it depends on is {}",
    "DEPENDS_ON": "It depends on {}",
    "DEPENDS_ON_BY": "On it depends {}",
    "PART_OF": "It is part of {}",
    "PART_OF_BY": "Part of it is {}",
    "CONSTRAINS": "It constrains {}",
    "RESPECTS_BY": "It is respected by {}",
}
"""How the edges of a statement are told, by type and, with _BY, where they lead to it."""


def _entity(tx: Transaction, settings: Settings, key: str) -> _Told:
    found = rows.environment_entity(tx.run("environment/get", key=key)[0])
    possible = round((found.support + 1) / found.confidence) - 2
    lines = [
        f"Kind {found.kind}, of the environment {code(found.domain)}; it is {found.status}.",
        f"Seen in {found.support} of {counted(possible, 'episode')} in which it could have been seen: confidence "
        f"(k + 1) / (n + 2) = {found.confidence:.4f}.",
        "It was abstracted from the policies",
    ]
    lines += [
        f"  {row['key']}: {row['title']} ({row['stance']}, {row['status']}, stable for {row['stable_for']})"
        for row in tx.run("explain/entity_policies", key=key)
    ]
    lines += [
        LINKS[row["relation"]].format(f"{row['key']}: {row['title']}")
        for row in tx.run("explain/entity_links", key=key)
    ]
    return found.statement, [*lines, *_decisions(tx, key)]


# The rest -----------------------------------------------------------------------------------------------------------


def _decision(tx: Transaction, settings: Settings, key: str) -> _Told:
    decision = rows.decision(tx.run("explain/decision", key=key)[0])
    lines = [f"About {decision.subject}: {_change(decision.before, decision.after)}.", f"Reason: {decision.reason}."]
    inputs = tx.run("explain/input", sequence=decision.sequence)
    cause = f", the episode {inputs[0]['key']}" if inputs else ""
    lines.append(f"It followed from input {decision.sequence}{cause}; decided by {decision.author}.")
    return f"Decision to {decision.action}", lines


def _decisions(tx: Transaction, key: str) -> list[str]:
    found = tx.run("decision/about", key=key)
    found.sort(key=lambda row: (row["sequence"], row["before"] not in ("", "draft"), row["action"]))
    return [
        f"Input {row['sequence']}: {row['action']}, {_change(row['before'], row['after'])}; {row['reason']}."
        for row in found
    ]


def _change(before: str, after: str) -> str:
    return f"{before or 'nothing'} to {after}"


def _task(tx: Transaction, settings: Settings, key: str) -> _Told:
    [row] = tx.run("explain/task", key=key)
    lines = [f"Task {code(row['task_key'])} of {code(row['domain'])}: {quoted(redact(row['text']))}."]
    lines.append(
        f"{counted(row['episodes'], 'episode')} attempted it; {row['scored']} have an outcome, {row['solved']} of them "
        f"solved" + (f", with a mean R of {row['reward']:+.4f}." if row["scored"] else ".")
    )
    return f"Task of {code(row['domain'])}", lines


def _tool(tx: Transaction, settings: Settings, key: str) -> _Told:
    [row] = tx.run("explain/tool", key=key)
    lines = [
        f"{counted(row['calls'], 'step')} of {counted(row['episodes'], 'episode')} call it; "
        f"{row['errors']} ended in an error."
    ]
    lines += [
        f"{one['key']}: {one['title']} ({one['stance']}, {one['status']})."
        for one in tx.run("explain/tool_policies", key=key)
    ]
    return f"{told(row['name'])}, a tool of kind {row['kind']}", lines


def _run(tx: Transaction, settings: Settings, key: str) -> _Told:
    [row] = tx.run("explain/run", key=key)
    ended = f"ended {row['ended_at']:%Y-%m-%d %H:%M:%S} UTC" if row["ended_at"] else "did not end"
    lines = [
        f"It began {row['started_at']:%Y-%m-%d %H:%M:%S} UTC and {ended}.",
        f"It wrote {row['policies']} of the policies and {row['skills']} of the skills that are there.",
    ]
    return f"Run of {row['stage']}", lines


_TELLERS: Mapping[str, Callable[[Transaction, Settings, str], _Told]] = {
    "Episode": _episode,
    "Evidence": _evidence,
    "Policy": _policy,
    "Pattern": _pattern,
    "EnvEntity": _entity,
    "Skill": _skill,
    "Decision": _decision,
    "Task": _task,
    "Tool": _tool,
    "Run": _run,
}
