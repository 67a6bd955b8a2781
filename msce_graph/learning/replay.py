"""The fold over a whole domain in memory: what inputs would have led to, without a graph to keep it in."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import replace

from msce_graph.learning.alignment import begins, required_tools
from msce_graph.learning.fold import (
    DomainState,
    Input,
    PublishedSkill,
    Report,
    ScoredEpisode,
    Seen,
    advance,
    advance_report,
    inductions,
    lacks_skill,
    ready,
    sightings,
    skill_id,
)
from msce_graph.learning.lifecycle import SkillLife
from msce_graph.settings import Settings


class Replay:
    """A domain's state as inputs come in; a draft of each policy that passes both gates is taken to pass its checks."""

    def __init__(self, domain: str, settings: Settings) -> None:
        self.state = DomainState(domain)
        self._settings = settings
        self._histories: defaultdict[str, list[Seen]] = defaultdict(list)
        self._supporting: defaultdict[str, set[str]] = defaultdict(set)

    def take_in(self, one: Input) -> None:
        """Advance the state by one input; they come in the order of their sequence."""
        if isinstance(one, Report):
            self.state, _ = advance_report(self.state, one, self._settings)
        else:
            self._advance(one)
        for policy in ready(self.state, self._settings):
            if lacks_skill(self.state.policies[policy]):
                self._publish(policy)

    def _advance(self, episode: ScoredEpisode) -> None:
        wanted = {key: tuple(self._histories[key[0]]) for key in inductions(self.state, episode, self._settings)}
        self.state, changes = advance(self.state, episode, wanted, self._settings)
        for (pattern, _, _), seen in sightings(episode, self._settings).items():
            self._histories[pattern].append(seen)
        for edge in changes.edges:
            if edge.relation == "SUPPORTS":
                self._supporting[edge.policy].add(edge.evidence.rpartition("#")[0])

    def _publish(self, policy_id: str) -> None:
        """Give a policy a skill of its revision, unless its steps only begin a longer one's in mostly its episodes."""
        policy = self.state.policies[policy_id]
        if any(self._gives_way(policy_id, longer) for longer in ready(self.state, self._settings)):
            after = replace(policy, tried=policy.supports)
        else:
            version = policy.skill.version + 1 if policy.skill else 1
            pinned = policy.skill is not None and policy.skill.life.pinned
            skill = PublishedSkill(
                skill_id(policy_id, version),
                version,
                policy.revision,
                required_tools(policy.steps),
                life=SkillLife(pinned=pinned),
            )
            after = replace(policy, skill=skill)
        self.state = replace(self.state, policies={**self.state.policies, policy_id: after})

    def _gives_way(self, shorter: str, longer: str) -> bool:
        one, other = self.state.policies[shorter], self.state.policies[longer]
        shared = len(self._supporting[shorter] & self._supporting[longer])
        return begins(one.steps, other.steps) and 2 * shared > max(one.support, other.support)


def replayed(domain: str, inputs: Iterable[Input], settings: Settings) -> DomainState:
    """Return the state of a domain after all its inputs, which come in the order of their sequence."""
    replay = Replay(domain, settings)
    for one in inputs:
        replay.take_in(one)
    return replay.state
