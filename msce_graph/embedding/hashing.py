"""The default model: word and character n-grams hashed into 384 numbers; needs no weights and no network."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import lru_cache
from hashlib import blake2b

import numpy as np

from msce_graph.records import Vector

CHARACTERS = 20_000
"""Characters of a text that count."""

_WORDS = re.compile(r"[^\W_]+")
_HUMP = re.compile(r"([a-z0-9])([A-Z])")
_CJK = re.compile(r"[㐀-䶿一-鿿豈-﫿぀-ヿ가-힣]")


class HashingEmbedder:
    """Signed feature hashing with sublinear counts and unit length: deterministic on every machine.

    Words weigh most, pairs of words and the trigrams within words less; of Chinese, Japanese and Korean text, which has
    no spaces, characters and pairs of characters are the features.
    """

    name = "hashing"
    dimensions = 384

    def embed(self, texts: Sequence[str]) -> list[Vector]:
        """Return a vector of unit length for each text; all empty texts have the same one."""
        return [_vector(text[:CHARACTERS]) for text in texts]


def _vector(text: str) -> Vector:
    vector = np.zeros(HashingEmbedder.dimensions, dtype=np.float64)
    counts = Counter(_features(text)) or Counter({("", 1.0): 1})
    for (feature, weight), number in counts.items():
        place, sign = _place(feature)
        vector[place] += sign * weight * (1 + np.log(number))
    length = float(np.sqrt(vector @ vector))
    if not length:  # features that cancel each other out
        return _vector("")
    return tuple(map(float, (vector / length).astype(np.float32)))


def _features(text: str) -> Iterator[tuple[str, float]]:
    """Yield the features of a text with the weight of their kind."""
    words = [word.casefold() for word in _WORDS.findall(_HUMP.sub(r"\1 \2", text))]
    for word in words:
        if _CJK.search(word):
            yield from ((sign, 0.5) for sign in word)
            yield from ((word[at : at + 2], 1.0) for at in range(len(word) - 1))
        else:
            yield word, 1.0
            framed = f"<{word}>"
            yield from ((framed[at : at + 3], 0.3) for at in range(len(framed) - 2))
    for left, right in zip(words, words[1:], strict=False):
        yield f"{left} {right}", 0.5


@lru_cache(maxsize=1 << 16)
def _place(feature: str) -> tuple[int, float]:
    """Return the dimension that a feature falls into, and its sign."""
    number = int.from_bytes(blake2b(feature.encode("utf-8", "surrogatepass"), digest_size=8).digest(), "big")
    return (number >> 1) % HashingEmbedder.dimensions, 1.0 if number & 1 else -1.0
