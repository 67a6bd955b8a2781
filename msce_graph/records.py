"""The records of the graph: what each node holds, and what a source says of an episode before it is normalised."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Annotated, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, JsonValue

Origin = Literal["own", "imported", "untrusted"]
RewardBasis = Literal["score", "feedback", "inferred", "self_reported"]
Kind = Literal["function", "shell", "sql", "verb", "text"]
Stance = Literal["follow", "avoid"]
PolicyStatus = Literal["candidate", "active", "retired"]
SkillStatus = Literal["trial", "active", "suspended", "archived"]
TrialBasis = Literal["observed", "reported", "user"]
FeedbackKind = Literal["praise", "correction", "rejection"]
EnvEntityKind = Literal["dependency", "entity", "structure", "regularity", "constraint"]
EnvEntityStatus = Literal["current", "withdrawn"]
Relation = Literal["SUPPORTS", "CONTRADICTS", "BORDERS"]


def _utc(time: datetime) -> datetime:
    """Return the time in UTC; one without a zone is taken as UTC."""
    return time.replace(tzinfo=UTC) if time.tzinfo is None else time.astimezone(UTC)


UtcTime = Annotated[datetime, AfterValidator(_utc)]
NAMESPACE = r"^[a-z0-9_-]{1,64}$"
Namespace = Annotated[str, Field(pattern=NAMESPACE)]
Reward = Annotated[float, Field(ge=-1, le=1)]
Share = Annotated[float, Field(ge=0, le=1)]
Vector = tuple[float, ...]


class Record(BaseModel):
    """A frozen value; change means `model_copy(update=...)`."""

    model_config = ConfigDict(frozen=True, extra="forbid")


# What a source says -------------------------------------------------------------------------------------------------


class Call(Record):
    """A function call as the log has it: arguments as structure, or as the text that did not parse."""

    name: str
    arguments: dict[str, JsonValue] | str


class RecordedStep(Record):
    """One decision as a source tells it, before redaction, cutting and naming of its tool."""

    turn: Annotated[int, Field(ge=0)]
    state: str = ""
    action: str = ""
    """The raw action, or what the agent said where it called nothing."""
    call: Call | None = None
    language: Literal["shell", "sql", "verb"] | None = None
    """How a raw action is read; null where it is talk or unknown."""
    dialect: str | None = None
    is_action: bool = True
    """False for talk: the action is words to a user and is never read as a command."""
    observation: JsonValue = ""
    """Text (JSON text stays text) or structure."""
    is_error: bool = False
    reflection: str = ""
    occurred_at: UtcTime | None = None
    tool: str | None = None
    """Only native records name their tool; everywhere else it is read from the action."""
    kind: Kind | None = None
    arguments: dict[str, JsonValue] | None = None
    mentions: tuple[str, ...] | None = None


class Remark(Record):
    """What a person said of an episode in a file beside its log."""

    text: str
    author: str


class RecordedEpisode(Record):
    """One run as a source tells it; `coordinates` name it within the namespace."""

    coordinates: tuple[str, ...]
    """The source's own id alone, or source name, task and trial."""
    task: str
    task_key: str | None = None
    """Null: a hash of the task text."""
    domain: str | None = None
    """The format's own domain; null: the file's stem."""
    agent: str | None = None
    model: str | None = None
    started_at: UtcTime | None = None
    ended_at: UtcTime | None = None
    tokens: int | None = None
    cost: float | None = None
    score: float | None = None
    """A graded outcome in 0..1."""
    passed: bool | None = None
    """The source's own pass or fail."""
    reward: Reward | None = None
    """Native records alone give R itself, with its basis."""
    reward_basis: RewardBasis | None = None
    solved: bool | None = None
    outcome: str | None = None
    """What the source calls the outcome, for people."""
    remark: Remark | None = None
    origin: Origin | None = None
    is_complete: bool = True
    source_format: str
    source: str
    """The file below the given path, or the given source name."""
    source_sha256: str = ""
    line: int | None = None
    """Where in the file the episode starts, for messages."""
    steps: tuple[RecordedStep, ...]


# Nodes --------------------------------------------------------------------------------------------------------------


class Node(Record):
    """What every node has."""

    namespace: Namespace
    id: str
    created_at: UtcTime

    @property
    def key(self) -> str:
        """`namespace/id`, unique in a database."""
        return f"{self.namespace}/{self.id}"


class Episode(Node):
    """One run from goal to outcome. `sequence` is given when it is first scored; `reward` is R in [-1, 1]."""

    sequence: int | None = None
    task: str
    task_key: str
    domain: str
    agent: str | None = None
    model: str | None = None
    started_at: UtcTime | None = None
    ended_at: UtcTime | None = None
    step_count: int
    tool_steps: int
    tokens: int | None = None
    cost: float | None = None
    outcome: str | None = None
    solved: bool | None = None
    reward: Reward | None = None
    reward_basis: RewardBasis | None = None
    source_format: str
    source: str
    source_sha256: str
    content_sha256: str
    """Of task, normalised steps and outcome: tells whether the episode changed."""
    trajectory_sha256: str
    """Of task and normalised steps: the same for copies of one episode under several ids."""
    origin: Origin = "own"
    is_complete: bool = True
    is_learned: bool = False
    """Whether the fold over inputs has taken it in."""


class Evidence(Node):
    """L1: one decision, its value in [-1, 1] and how much its reflection weighs (alpha in [0, 1])."""

    episode: str
    """The episode's id."""
    index: int
    turn: int
    state: str
    action: str
    tool: str | None
    kind: Kind
    arguments: dict[str, JsonValue]
    observation: JsonValue
    is_error: bool
    error_signature: str
    """Of the error that this step answers; empty where it answers none."""
    reflection: str
    alpha: Share
    graded_by: str | None = None
    """The language model that graded the reflection; null where the deterministic grade stands."""
    value: float | None
    mentions: tuple[str, ...]
    told: dict[str, Literal["message", "task"]] = {}
    """Arguments whose value stood in an earlier user message or the task."""
    text: str
    """What full-text and vector search see."""
    occurred_at: UtcTime | None = None
    embedding: Vector = ()


class Derivation(Record):
    """A DERIVES_FROM edge between two steps of an episode: an argument's value came from an earlier observation."""

    step: int
    argument: str
    source: int
    path: str | None


class ParameterOrigin(Record):
    """Where a procedure's parameter comes from: an earlier procedure step's result, a user message or the task."""

    kind: Literal["result", "message", "task"]
    tool: str | None = None
    path: str | None = None


class Parameter(Record):
    """What differs between the cases that a procedure was drawn from."""

    name: str
    origin: ParameterOrigin | None = None


class ProcedureStep(Record):
    """One step of a policy's or skill's procedure."""

    tool: str
    kind: Kind
    required: bool
    share: Share
    """The share of segments that took it."""
    constants: dict[str, JsonValue] = {}
    parameters: tuple[Parameter, ...] = ()


class Policy(Node):
    """L2: what to do (follow) or avoid, when, with its adjusted gain and the test of it."""

    domain: str
    tool: str
    error_signature: str
    stance: Stance
    title: str
    trigger: str
    procedure: tuple[ProcedureStep, ...]
    verification: str
    fallback: str
    boundary: str
    support: int
    """Different episodes that support it."""
    gain: float | None
    gain_low: float | None
    gain_high: float | None
    p: float | None
    q: float | None
    episodes_with: int
    episodes_without: int
    resolved: int
    attempts: int
    status: PolicyStatus
    revision: int
    stable_for: int
    settled: bool = False
    """Whether it ever was active and stable."""
    worded_by: str = "deterministic"
    embedding: Vector = ()
    tally: dict[str, JsonValue] = {}
    """The sums that gain and test follow from."""


class EnvEntity(Node):
    """L3: what an environment is like, seen in episodes of several policies."""

    kind: EnvEntityKind
    name: str
    statement: str
    domain: str
    confidence: Share
    """The smoothed rate at which it was seen where it could have been."""
    support: int
    """Different episodes in which it was seen."""
    status: EnvEntityStatus
    embedding: Vector = ()


class Skill(Node):
    """A callable procedure that passed two gates and six checks."""

    name: str
    title: str
    version: int
    domain: str
    trigger: str
    description: str
    preconditions: tuple[str, ...]
    procedure: tuple[ProcedureStep, ...]
    fallback: str
    verification: str
    boundary: str
    decision_guidance: str
    status: SkillStatus
    passes: int = 0
    trials: int = 0
    consecutive_passes: int = 0
    consecutive_failures: int = 0
    reliability: float = 0.5
    drafted_by: str = "deterministic"
    pinned: bool = False
    embedding: Vector = ()


class Trial(Node):
    """One use of a skill and how it went."""

    sequence: int
    """Its place among the inputs: that of the episode where it was observed."""
    passed: bool
    basis: TrialBasis
    author: str | None = None
    """Who reported it."""
    reason: str = ""
    occurred_at: UtcTime | None = None


class Feedback(Node):
    """What a person said of an episode or skill, graded on three axes in [-1, 1] where it says something of them."""

    sequence: int
    kind: FeedbackKind
    text: str
    goal: Reward | None
    process: Reward | None
    satisfaction: Reward | None
    exclusion: str = ""
    """The condition that a correction names, in the person's words."""
    author: str
    occurred_at: UtcTime


class Decision(Node):
    """Why a status changed, with the numbers it rested on."""

    subject: str
    """Key of the node it is ABOUT."""
    sequence: int
    action: str
    reason: str
    before: str
    after: str
    author: str
    occurred_at: UtcTime
