"""Every parameter of learning, skills and recall in one frozen model."""

from __future__ import annotations

from typing import Annotated, Any, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from msce_graph.errors import SettingsError

Share = Annotated[float, Field(ge=0, le=1)]


class Settings(BaseModel):
    """The parameters of DESIGN D3 to D7; those before `recall_limit` shape what is stored and belong to the store."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    state_limit: Annotated[int, Field(ge=200)] = 4000
    """Characters kept of a state."""
    observation_limit: Annotated[int, Field(ge=200)] = 2000
    """Characters kept of an observation."""
    solved_at: Share = 1.0
    """The graded score from which an episode counts as solved."""
    gamma: Share = 0.9
    """Discount of the value from a step to the one before it."""
    reflection: Literal["deterministic", "none", "llm"] = "deterministic"
    """What grades reflections; `none` makes every alpha 0, `llm` asks the language model where it can."""
    v_min: Annotated[float, Field(gt=0, le=1)] = 0.1
    """The value from which evidence is positive, and under whose negative it is counter-evidence."""
    n_min: Annotated[int, Field(ge=2)] = 3
    """Different episodes that a policy is induced from."""
    association_floor: Share = 0.0
    """The similarity under which a step is not associated with the policy of its signature."""
    baseline_episodes: Annotated[float, Field(ge=0)] = 5.0
    """N0: the number of episodes without a policy at which they count half."""
    activate_at: float = 0.02
    """The gain from which a policy to follow becomes active."""
    retire_below: float = -0.05
    """The gain under which a policy to follow is retired."""
    q_max: Share = 0.1
    """The false discovery rate that a claim must stay under."""
    procedure_episodes: Annotated[int, Field(ge=3)] = 32
    """Supporting episodes that a procedure is drawn from."""
    segment_steps: Annotated[int, Field(ge=1)] = 12
    """Tool steps of one segment at most."""
    keep_share: Share = 0.5
    """The share of segments from which a step belongs to the procedure."""
    require_share: Share = 2 / 3
    """The share from which a procedure step becomes required."""
    theta_gain: float = 0.1
    """The gain that gate 1 asks for."""
    stable_episodes: Annotated[int, Field(ge=1)] = 3
    """m: episodes in a row that fit, asked for by gate 2."""
    trust_gain: bool = False
    """Let gate 1 pass without a small q."""
    require_approval: bool = False
    """Let no skill become active before a person has approved it."""
    trial_run: Annotated[int, Field(ge=1)] = 3
    """Passes in a row that make a skill active, and failures in a row that may archive it."""
    run_chance: Share = 0.05
    """The probability under which a run of failures of an active skill is no bad luck."""
    archive_below: Share = 0.4
    """The reliability under which a skill is archived, once it has `archive_trials`."""
    archive_trials: Annotated[int, Field(ge=1)] = 5
    """Trials from which a skill's reliability may archive it."""
    cited_examples: Annotated[int, Field(ge=3)] = 8
    """Supporting episodes that a skill cites."""

    recall_limit: Annotated[int, Field(ge=1, le=100)] = 5
    """Items a tier."""
    rank_constant: Annotated[int, Field(ge=1)] = 60
    """k of reciprocal rank fusion."""
    diversity: Share = 0.7
    """Lambda of maximal marginal relevance: 1 is relevance alone."""
    half_life_days: Annotated[float, Field(gt=0)] = 30.0
    """Days in which evidence counts half as much in recall."""
    exact_below: Annotated[int, Field(ge=0)] = 2000
    """Vectors a namespace up to which vector search is exact."""
    llm_calls: Annotated[int, Field(ge=0)] = 200
    """Requests that one run may send to the language model, repeated ones included."""
    llm_tokens: Annotated[int, Field(ge=0)] = 500_000
    """Tokens that one run may spend on the language model, of questions and answers."""
    llm_timeout_seconds: Annotated[float, Field(gt=0)] = 60.0
    """Seconds that one request to the language model may take."""

    @classmethod
    def of(cls, given: dict[str, Any]) -> Self:
        """Return the settings with the given ones in place of the defaults; raise SettingsError naming the bad ones."""
        try:
            return cls.model_validate(given)
        except ValidationError as error:
            found = "; ".join(f"{'.'.join(map(str, e['loc']))}={e['input']!r}: {e['msg']}" for e in error.errors())
            raise SettingsError(f"{found} (known: {', '.join(cls.model_fields)})") from error

    def stored(self) -> dict[str, Any]:
        """Return the parameters that belong to the store, as JSON values."""
        return {name: value for name, value in self.model_dump(mode="json").items() if name not in _OF_THE_CALL}


_OF_THE_CALL = frozenset(
    {
        *("recall_limit", "rank_constant", "diversity", "half_life_days", "exact_below"),
        *("llm_calls", "llm_tokens", "llm_timeout_seconds"),
    }
)
