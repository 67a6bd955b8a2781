"""The default embedding: signed feature hashing of words and n-grams, without a model, the same on every machine."""

from __future__ import annotations

import math
import re
import unicodedata
import zlib
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import pairwise

import numpy as np

from msce_graph.records import Vector

DIMENSIONS = 384
CHARACTERS = 20_000
"""The limit that a longer text is cut to."""


class HashingEmbedder:
    """Vectors whose cosine is the share of words and of pieces of words that two texts have in common.

    Feature hashing with signs (Weinberger et al., 2009). All sums are of whole numbers, so they depend on neither the
    order of words nor the machine; only the last division rounds.
    """

    name = "hashing"
    dimensions = DIMENSIONS

    def embed(self, texts: Sequence[str]) -> list[Vector]:
        """Return a vector of length 1 for each text, in order, its numbers rounded to float32."""
        return [_vector(text[:CHARACTERS]) for text in texts]


def _vector(text: str) -> Vector:
    sums = [0] * DIMENSIONS
    for unit, count in Counter(_units(text)).items():
        repeated = 4 + round(4 * math.log(count))  # sublinear: a word said ten times is no ten words
        for bucket, signed in _features(unit):
            sums[bucket] += repeated * signed
    if not any(sums):  # no words, or signs that cancel out: an engine's cosine index has no place for a zero vector
        sums[zlib.crc32(_bytes(text.strip())) % DIMENSIONS] = 1
    length = math.sqrt(sum(number * number for number in sums))
    vector: list[float] = (np.array(sums, dtype=np.float64) / length).astype(np.float32).tolist()
    return tuple(vector)


def _units(text: str) -> Iterator[str]:
    """Yield the words and pairs of neighbouring words; of scripts without spaces the characters and their pairs."""
    parted = _HUMP.sub(" ", unicodedata.normalize("NFKC", text)).casefold()
    words: list[str] = []
    for found in _WORD.finditer(parted):
        run = found[0]
        if _UNSPACED.match(run):
            yield from run
            yield from (first + second for first, second in pairwise(run))
        else:
            words.append(run)
    yield from words
    yield from (f"{first} {second}" for first, second in pairwise(words))


@lru_cache(maxsize=16_384)
def _features(unit: str) -> tuple[tuple[int, int], ...]:
    """Return the features of a word, of a pair of words or of characters: their buckets and signed weights."""
    if " " in unit:
        return (_feature(unit, 0 if _COMMON.issuperset(unit.split()) else 2),)
    if _UNSPACED.match(unit):
        return (_feature(unit, 12 if len(unit) > 1 else 0 if unit in _COMMON_CHARACTERS else 4),)
    if unit in _COMMON:
        return (_feature(unit, 1),)
    if unit.isdecimal():
        return (_feature(unit, 4),)
    marked = f"<{unit}>"
    pieces = [marked[start : start + size] for size in (3, 4) for start in range(len(marked) - size + 1)]
    # The pieces of a long word weigh about as much together as those of a short one.
    weight = max(1, round(12 / math.sqrt(len(pieces) or 1)))
    return (_feature(unit, 12), *(_feature(f"~{piece}", weight) for piece in pieces))


def _feature(text: str, weight: int) -> tuple[int, int]:
    hashed = zlib.crc32(_bytes(text))
    # The sign comes from bits that hardly move the bucket, so that two features of one bucket cancel half of the time.
    return hashed % DIMENSIONS, weight if (hashed >> 24).bit_count() % 2 else -weight


def _bytes(text: str) -> bytes:
    """Return the text in UTF-8; half of a surrogate pair, which JSON can hold, is kept as it is."""
    return text.encode(errors="surrogatepass")


_HUMP = re.compile(r"(?<=[a-z])(?=[A-Z])")
_CHARACTERS_WITHOUT_SPACES = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003134f"
_UNSPACED = re.compile(f"[{_CHARACTERS_WITHOUT_SPACES}]+")
_WORD = re.compile(rf"[{_CHARACTERS_WITHOUT_SPACES}]+|[^\W_{_CHARACTERS_WITHOUT_SPACES}]+")
_COMMON_WORDS = """
a an and are as at be been but by can could did do does for from had has have he her his how i if in into is it its me
my no not of on or our please s she should so than that the their them then there these they this to up us want wants
was we were what when where which who will with would you your
"""
_COMMON = frozenset(_COMMON_WORDS.split())
_COMMON_CHARACTERS = frozenset("的了是在和与就都也很这那个我你他她它们要会可以有把被对从到给让请吗呢吧之其")
