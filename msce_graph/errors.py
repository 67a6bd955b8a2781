"""Every error that a caller could act on, each with what was asked, what was found and what to do."""

from __future__ import annotations


class MemoryGraphError(Exception):
    """The root of all errors of msce_graph."""


class SourceError(MemoryGraphError):
    """A file, line or record of a log cannot be read."""

    def __init__(self, file: str, reason: str, *, line: int | None = None) -> None:
        where = file if line is None else f"{file}, line {line}"
        super().__init__(f"{where}: {reason}")
        self.file, self.line, self.reason = file, line, reason


class EpisodeConflict(MemoryGraphError):
    """An episode is stored under this id with other content."""

    def __init__(self, episode: str, file: str) -> None:
        super().__init__(
            f"{file}: episode {episode} is stored with other content: give --replace to put this in its place, "
            "or another --namespace to keep both"
        )
        self.episode, self.file = episode, file


_KEYS = {
    "policy": "`msce policy list` shows those that are there",
    "skill": "`msce skill list` shows those that are there",
    "episode": "`msce query 'MATCH (e:Episode) RETURN e.key, e.source, e.domain'` shows those that are there",
    "earlier version of skill": "it is the first; `msce skill diff KEY --against KEY` compares any two",
}
_OTHER_KEYS = "`msce query 'MATCH (n) WHERE n.key IS NOT NULL RETURN labels(n), n.key'` shows what is there"


class UnknownKey(MemoryGraphError):
    """Nothing of that kind is stored under the key."""

    def __init__(self, kind: str, key: str) -> None:
        super().__init__(f"no {kind} {key!r} in this store: {_KEYS.get(kind, _OTHER_KEYS)}")
        self.kind, self.key = kind, key


class SettingsError(MemoryGraphError):
    """A parameter has an impossible value, or another one than the store was built with."""


class QueryRefused(MemoryGraphError):
    """A query would do more than read the graph."""


class StoreError(MemoryGraphError):
    """The store cannot be reached, opened or written."""


class NewerStore(StoreError):
    """The store was written by a later version of msce_graph."""

    def __init__(self, found: int, known: int) -> None:
        super().__init__(
            f"this store has schema version {found} and this msce_graph knows {known}: install a newer msce_graph"
        )
        self.found, self.known = found, known


class LeaseHeld(StoreError):
    """Another evolve of the same namespace is running."""


class IncompleteWrite(StoreError):
    """A write matched fewer rows than it was given."""

    def __init__(self, query: str, asked: int, written: int) -> None:
        super().__init__(f"{query} wrote {written} of {asked} rows: a node that it refers to is not there")
        self.query, self.asked, self.written = query, asked, written


class EmbeddingMismatch(StoreError):
    """The store was built with another embedding model."""

    def __init__(self, stored: str, given: str, *, model: str | None = None) -> None:
        super().__init__(
            f"this store holds {stored} vectors, not {given}: run `msce embed --model {model or given}`, "
            f"or open it with {stored}"
        )
        self.stored, self.given = stored, given


class EmbedderUnavailable(MemoryGraphError):
    """The embedding model cannot be had here."""


class LanguageModelUnavailable(MemoryGraphError):
    """A language model is configured and cannot be asked here."""


class NoAnswer(MemoryGraphError):
    """The endpoint of the language model did not answer: it is down, slow or refuses; the same may be asked later."""


class UnusableAnswer(MemoryGraphError):
    """The language model answered with nonsense; to ask the same again would pay for it again."""


class BudgetSpent(MemoryGraphError):
    """The calls or tokens that a run may spend on the language model are spent."""

    def __init__(self, calls: int, tokens: int) -> None:
        super().__init__(
            f"this run has spent its {calls} calls or {tokens} tokens of the language model: run it again, or give "
            "more with --set llm_calls=... or llm_tokens=..."
        )
        self.calls, self.tokens = calls, tokens
