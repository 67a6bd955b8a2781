"""Texts to vectors: which models there are, and what each promises."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from msce_graph.records import Vector

MODELS = ("hashing", "minilm")


class Embedder(Protocol):
    """A model of one name and size."""

    @property
    def name(self) -> str:
        """What the store records: vectors of another name do not compare."""

    @property
    def dimensions(self) -> int:
        """Numbers a vector."""

    def embed(self, texts: Sequence[str]) -> list[Vector]:
        """Return a vector of unit length for each text, each number rounded to float32.

        A text over the model's limit is cut to it; an empty one gets a vector all the same.
        """


def embedder(name: str) -> Embedder:
    """Return the model of that name; raise EmbedderUnavailable where its package is missing, else ValueError."""
    if name == "hashing":
        from msce_graph.embedding.hashing import HashingEmbedder

        return HashingEmbedder()
    if name == "minilm":
        from msce_graph.embedding.sentence_transformer import MiniLmEmbedder

        return MiniLmEmbedder()
    raise ValueError(f"no embedding model {name!r}: there are {', '.join(MODELS)}")
