"""What a language model adds where one is configured: grades of reflections before they count, words after learning.

Questions are asked outside of transactions, and each answer is kept as soon as it is there; what comes of them is
written in transactions of its own, where the graph is still as it was asked about.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from hashlib import sha256
from typing import Any, Generic, TypeVar

from pydantic import BaseModel, JsonValue

from msce_graph.errors import BudgetSpent, LeaseHeld, NoAnswer, UnusableAnswer
from msce_graph.language import Budget, LanguageModel
from msce_graph.language.budget import Spent
from msce_graph.language.prompts import GRADE_REFLECTION, WORD_POLICY, WORD_SKILL, Prompt, ReflectionAxes
from msce_graph.learning.fold import Ruling
from msce_graph.learning.normalise import local_context
from msce_graph.learning.redaction import redact_value
from msce_graph.learning.reflection import Grade
from msce_graph.learning.value import values
from msce_graph.learning.worded import Draft, draft, graded, language, refusal, restored
from msce_graph.learning.wording import step_text
from msce_graph.pipeline import lease
from msce_graph.pipeline.checking import verified
from msce_graph.pipeline.domain import put_rulings
from msce_graph.pipeline.runs import Run
from msce_graph.records import Episode, Evidence, ProcedureStep, Record
from msce_graph.settings import Settings
from msce_graph.store import Store, Transaction, rows

EVIDENCE = 128
"""Steps of a policy, newest first, that its words are held against and forgotten with."""
SILENCES = 2
"""Questions in a row without an answer after which a pass asks no more."""
DISCARD, DETERMINISTIC = "discard wording", "deterministic"

A = TypeVar("A", bound=BaseModel)


class Asked(Record):
    """What one pass asked of a language model, and what came of it."""

    answers: int = 0
    """New ones, usable or not."""
    reused: int = 0
    """Answers that were there from before, which cost nothing."""
    graded: int = 0
    """Reflections that have a grade of the model by this pass."""
    worded: int = 0
    """Policies and skills that have words of the model by this pass."""
    discarded: int = 0
    """Answers that were of no use or not accepted, so that grade or draft stays as it is."""
    stopped: str = ""
    """Why the pass asked no more; empty where nothing was left to ask."""


def grade(store: Store, model: LanguageModel | None, settings: Settings, *, anew: bool = False) -> Asked:
    """Let a model grade the reflections of scored episodes that are not taken in yet (D3.5), and value them by it.

    The deterministic grade stands where there is no model, no usable answer or no budget. `anew` looks at all episodes,
    for a rebuild with another grader.
    """
    if anew:
        store.write(lambda tx: tx.run("language/ungrade"))
    if model is None or settings.reflection != "llm":
        return Asked()
    with _asking(store, model, settings, "grade") as asking:
        for row in store.read(lambda tx: tx.run("language/ungraded", anew=anew)):
            _grade_episode(store, asking, row["key"], settings, anew=anew)
    return asking.told


def word(store: Store, model: LanguageModel | None, settings: Settings) -> Asked:
    """Let a model word the skills and active policies that have their deterministic words (D6.7).

    Words are written while no other pass learns; where one does, they wait in the cache for the next call.
    """
    if model is None:
        return Asked()
    with _asking(store, model, settings, "word") as asking:
        for kind in (_SKILLS, _POLICIES):
            answered = [found for row in store.read(partial(_unworded, kind)) if (found := _worded(store, asking, row))]
            given = partial(_put_words, now=store.now(), settings=settings, asking=asking, answered=answered)
            try:
                with lease.held(store) as holder:
                    asking.count("worded", store.write(partial(given, holder=holder)))
            except LeaseHeld as held:
                asking.stopped = str(held)
    return asking.told


def grade_of(tx: Transaction, key: str) -> Grade | None:
    """Return a model's grade of the reflection of a step, where it counts and is still known."""
    for row in tx.run("language/axes", key=key):
        return graded(**json.loads(row["words"]), by=row["model"])
    return None


def forget(tx: Transaction, key: str) -> None:
    """Delete what models answered about an episode, by its key, before its steps go."""
    tx.run("language/forget", key=key)


# Asking -------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Question(Generic[A]):
    """A question and the steps that it was made from, by key; the same question of other steps has the same answer."""

    prompt: Prompt[A]
    data: Mapping[str, JsonValue]
    evidence: tuple[str, ...]
    judged: Callable[[A], str]
    """Says why an answer is not accepted; empty where it is."""

    def id(self, model: str) -> str:
        """Return the id of its answer."""
        asked = rows.json_text([self.prompt.purpose, self.prompt.version, model, dict(self.data)])
        return f"answer/{sha256(asked.encode(errors='surrogatepass')).hexdigest()[:32]}"


@dataclass(frozen=True, slots=True)
class _Answer:
    """What a model said, or why that is of no use."""

    words: dict[str, Any]
    refused: str


class _Asking:
    """One pass of questions: out of the cache where they were asked before, else within the budget of its run."""

    def __init__(self, store: Store, model: LanguageModel, settings: Settings, stage: str) -> None:
        self.by = f"llm:{model.name}"
        self.run: Run | None = None
        self.stopped = ""
        self.counts: dict[str, int] = {}
        self._store, self._model, self._settings, self._stage = store, model, settings, stage
        self._budget = Budget(settings.llm_calls, settings.llm_tokens, self._charge)
        self._silences = 0

    @property
    def told(self) -> Asked:
        """What the pass did."""
        return Asked(**self.counts, stopped=self.stopped)

    def count(self, what: str, number: int = 1) -> None:
        """Take note of something done."""
        self.counts[what] = self.counts.get(what, 0) + number

    def id(self, question: _Question[A]) -> str:
        """Return the id of the answer to a question."""
        return question.id(self._model.name)

    def ask(self, question: _Question[A]) -> _Answer | None:
        """Return the answer to a question; null where it is not to be had now."""
        key = f"{self._store.namespace}/{self.id(question)}"
        known = self._store.read(lambda tx: tx.run("language/answers", keys=[key]))
        if known:
            self.count("reused")
            return _Answer(json.loads(known[0]["words"] or "{}"), known[0]["refused"] or "")
        if self.stopped:
            return None
        found = self._answered(question)
        if found is None or not self._keep(question, found):
            return None
        self.count("answers")
        self.count("discarded", bool(found.refused))
        return found

    def _answered(self, question: _Question[A]) -> _Answer | None:
        prompt = question.prompt
        try:
            answer = self._model.complete(prompt.instructions, question.data, prompt.answer, self._budget)
        except BudgetSpent as spent:
            self.stopped = str(spent)
            return None
        except NoAnswer as silence:
            self._silences += 1
            self.stopped = str(silence) if self._silences == SILENCES else ""
            return None
        except UnusableAnswer as nonsense:
            self._silences = 0
            return _Answer({}, str(nonsense))
        self._silences = 0
        refused = question.judged(answer)
        return _Answer({} if refused else answer.model_dump(mode="json"), refused)

    def _keep(self, question: _Question[A], answer: _Answer) -> bool:
        """Write an answer; return False where a step that it was made from is gone or going."""
        namespace, id_ = self._store.namespace, self.id(question)
        properties = {
            "key": f"{namespace}/{id_}",
            "namespace": namespace,
            "id": id_,
            "purpose": question.prompt.purpose,
            "version": question.prompt.version,
            "model": self._model.name,
            "words": rows.json_text(answer.words) if answer.words else None,
            "refused": answer.refused or None,
        }
        kept = self._store.write(
            lambda tx: tx.run(
                "language/put_answer",
                key=properties["key"],
                created_at=self._store.now(),
                properties=properties,
                evidence=sorted(question.evidence),
                count=len(question.evidence),
            )
        )
        return bool(kept and kept[0]["edges"])

    def _charge(self, calls: int, tokens: int) -> Spent:
        """Add to what the run has spent, in the graph; a run of this stage that was interrupted goes on (FIELD 18)."""

        def work(tx: Transaction) -> tuple[Run, Spent]:
            run = self.run or self._open(tx) or Run.begun(self._store, self._stage, self._settings)
            tx.put("run/put", [run.row])
            [row] = tx.run("language/charge", key=run.key, calls=calls, tokens=tokens)
            return run, Spent(row["calls"], row["tokens"])

        self.run, spent = self._store.write(work)
        return spent

    def _open(self, tx: Transaction) -> Run | None:
        for row in tx.run("language/open_run", stage=self._stage):
            return Run(row["key"], {"key": row["key"], "created_at": None, "properties": {"stage": self._stage}})
        return None


@contextmanager
def _asking(store: Store, model: LanguageModel, settings: Settings, stage: str) -> Iterator[_Asking]:
    """Ask within one run; one that is interrupted stays open, so that what it spent counts when it goes on."""
    asking = _Asking(store, model, settings, stage)
    yield asking
    if asking.run is not None:
        asking.run.ended(store)


# Grades -------------------------------------------------------------------------------------------------------------


def _grade_episode(store: Store, asking: _Asking, key: str, settings: Settings, *, anew: bool) -> None:
    episode, steps = store.read(partial(_episode, key=key))
    alphas: dict[str, float] = {}
    for question in (_of_reflection(episode.task, step) for step in steps if step.reflection.strip()):
        answer = asking.ask(question)
        if answer is not None and not answer.refused:
            alphas[asking.id(question)] = graded(**answer.words, by=asking.by).alpha
    if alphas:
        given = partial(_put_grades, key=key, asking=asking, alphas=alphas, gamma=settings.gamma, anew=anew)
        asking.count("graded", store.write(given))


def _episode(tx: Transaction, key: str) -> tuple[Episode, list[Evidence]]:
    [row] = tx.run("episode/get", key=key)
    return rows.episode(row), [rows.evidence(step) for step in tx.run("evidence/of_episode", key=key)]


def _of_reflection(task: str, step: Evidence) -> _Question[ReflectionAxes]:
    data: dict[str, JsonValue] = {
        "state": local_context(task, step.state),
        "tool": step.tool,
        "arguments": step.arguments,
        "action": step.action,
        "observation": step.observation,
        "reflection": step.reflection,
    }
    return _Question(GRADE_REFLECTION, _redacted(data), (step.key,), _out_of_range)


def _out_of_range(axes: ReflectionAxes) -> str:
    try:
        graded(**axes.model_dump(), by="")
    except ValueError as error:
        return str(error)
    return ""


def _put_grades(
    tx: Transaction, *, key: str, asking: _Asking, alphas: Mapping[str, float], gamma: float, anew: bool
) -> int:
    """Write the grades of an episode's steps that are as they were asked about, and all values; return how many."""
    episode, steps = _episode(tx, key)
    if episode.is_learned and not anew:
        return 0  # another pass has taken it in meanwhile, with the grades that it had
    given = [alphas.get(asking.id(_of_reflection(episode.task, step))) for step in steps]
    weights = [step.alpha if alpha is None else alpha for step, alpha in zip(steps, given, strict=True)]
    worth = values(episode.reward, weights, gamma)
    tx.put(
        "language/grade",
        [
            {"key": step.key, "alpha": weight, "value": value, "graded_by": None if alpha is None else asking.by}
            for step, alpha, weight, value in zip(steps, given, weights, worth, strict=True)
        ],
    )
    return sum(alpha is not None for alpha in given)


# Words --------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Kind:
    """What differs between the words of policies and those of skills."""

    prompt: Prompt[Any]
    unworded: str
    put: str
    author: str
    """The property that says whose words they are."""
    is_skill: bool


_SKILLS = _Kind(WORD_SKILL, "language/unworded_skills", "language/word_skills", "drafted_by", is_skill=True)
_POLICIES = _Kind(WORD_POLICY, "language/unworded_policies", "language/word_policies", "worded_by", is_skill=False)


@dataclass(frozen=True, slots=True)
class _Subject:
    """A policy or skill with its deterministic words, a field a text."""

    kind: _Kind
    key: str
    id: str
    policy: str
    about: str
    fields: Mapping[str, str]
    steps: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Worded:
    """What a model said of a subject; `sequence` is the newest input that the subject rested on."""

    subject: _Subject
    draft: Draft
    answer: _Answer
    sequence: int


def _unworded(kind: _Kind, tx: Transaction) -> list[_Subject]:
    return [
        _Subject(
            kind,
            row["key"],
            row["id"],
            row["policy"] if kind.is_skill else row["key"],
            "a skill" if kind.is_skill else f"a policy: what to {row['stance']}",
            _flat({name: row[name] for name in kind.prompt.answer.model_fields}),
            tuple(step_text(ProcedureStep.model_validate(step)) for step in json.loads(row["procedure"])),
        )
        for row in tx.run(kind.unworded)
    ]


def _worded(store: Store, asking: _Asking, subject: _Subject) -> _Worded | None:
    """Ask for the words of a subject; null where they are not to be had now."""
    evidence = store.read(lambda tx: tx.run("language/evidence", key=subject.policy, limit=EVIDENCE))
    if not evidence:
        return None
    wanted = language(text for row in evidence for text in (row["task"], row["reflection"]))
    before = draft(subject.fields)
    logs = [text for row in evidence for text in (row["state"], row["reflection"], row["observation"])]

    def judged(answer: BaseModel) -> str:
        return refusal(before, _flat(answer.model_dump()), wanted=wanted, facts=subject.steps, logs=logs)

    data: dict[str, JsonValue] = {
        "kind": subject.about,
        "language": wanted,
        "draft": dict(before.fields),
        "steps": list(subject.steps),
    }
    question = _Question(subject.kind.prompt, _redacted(data), tuple(row["key"] for row in evidence), judged)
    answer = asking.ask(question)
    return None if answer is None else _Worded(subject, before, answer, evidence[0]["sequence"])


def _put_words(
    tx: Transaction, *, now: datetime, settings: Settings, asking: _Asking, answered: Sequence[_Worded], holder: str
) -> int:
    """Write accepted words where the draft is still the one that was sent, and why others were discarded."""
    lease.renew(tx, holder, now)
    if not answered:
        return 0
    kind = answered[0].subject.kind
    current = {subject.key: subject for subject in _unworded(kind, tx)}
    standing = [one for one in answered if current.get(one.subject.key) == one.subject]
    accepted = [one for one in standing if not one.answer.refused]
    tx.put(kind.put, [_row(one, asking.by) for one in accepted])
    failing = [one for one in accepted if kind.is_skill and not verified(tx, settings, one.subject.key).holds]
    tx.put(kind.put, [_draft_row(one) for one in failing])
    keys = [one.subject.key for one in accepted if one not in failing]
    if asking.run is not None:
        asking.run.generated(tx, **{"skills" if kind.is_skill else "policies": keys})
    refused = [(one, one.answer.refused) for one in standing if one.answer.refused]
    _discard(tx, [*refused, *((one, "the six checks do not all hold") for one in failing)], asking.by, now)
    return len(keys)


def _row(one: _Worded, by: str) -> rows.Row:
    words = restored(_flat(one.answer.words), one.draft.kept)
    return {"key": one.subject.key, "properties": {**_nested(words), one.subject.kind.author: by}}


def _draft_row(one: _Worded) -> rows.Row:
    fields = _nested(one.subject.fields)
    return {"key": one.subject.key, "properties": {**fields, one.subject.kind.author: DETERMINISTIC}}


def _discard(tx: Transaction, refused: Sequence[tuple[_Worded, str]], by: str, now: datetime) -> None:
    """Write a Decision for each wording that was not accepted, unless it has been told before."""
    keys = [one.subject.key for one, _ in refused]
    told = {(row["key"], row["reason"]) for row in tx.run("language/discarded", keys=keys, action=DISCARD)}
    rulings = [
        Ruling(one.subject.id, one.sequence, DISCARD, reason, by, DETERMINISTIC, one.subject.kind.is_skill)
        for one, reason in refused
        if (one.subject.key, reason) not in told
    ]
    put_rulings(tx, rulings, now)


_PART = "precondition "


def _flat(fields: Mapping[str, Any]) -> dict[str, str]:
    """Return the fields of a text with those that are lists told part by part."""
    found = {name: value for name, value in fields.items() if isinstance(value, str)}
    parts = fields.get("preconditions") or ()
    return found | {f"{_PART}{number}": part for number, part in enumerate(parts, start=1)}


def _nested(fields: Mapping[str, str]) -> dict[str, str | list[str]]:
    """Return the properties that `_flat` took apart."""
    whole: dict[str, str | list[str]] = {n: text for n, text in fields.items() if not n.startswith(_PART)}
    parts = [text for name, text in fields.items() if name.startswith(_PART)]
    return whole | {"preconditions": parts} if parts else whole


def _redacted(data: dict[str, JsonValue]) -> dict[str, JsonValue]:
    clean = redact_value(data)
    assert isinstance(clean, dict), "what is redacted keeps its shape"
    return clean
