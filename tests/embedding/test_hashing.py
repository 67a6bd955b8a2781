from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from msce_graph.embedding import embedder
from msce_graph.embedding.hashing import CHARACTERS, HashingEmbedder

RELATED = [
    ("cancel the booking of a train ticket", "cancelling booked train tickets"),
    ("count the log files under /var/log", "how many log files are in /var/log"),
    ("get_order_details order_id", "getOrderDetails of an order"),
    ("SELECT the average age of students", "what is the mean age of all students"),
    ("取消我的火车票预订", "请帮我取消火车票的预订"),
    ("统计日志目录下的文件数量", "日志目录里有多少个文件"),
]
UNRELATED = [
    ("cancel the booking of a train ticket", "rinse the plate in the sink and put it on the shelf"),
    ("count the log files under /var/log", "what is the capital with the largest population"),
    ("please change the colour of my lamp", "please is the sum of all invoices in March right"),
    ("取消我的火车票预订", "统计日志目录下的文件数量"),
    ("把杯子放进橱柜", "查询平均工资最高的部门"),
    ("cancel the booking of a train ticket", "查询平均工资最高的部门"),
]


def cosine(first, second):
    vectors = np.array(HashingEmbedder().embed([first, second]))
    return float(vectors[0] @ vectors[1])


@given(st.lists(st.text(max_size=60), max_size=4))
def test_every_vector_has_length_one_and_float32_numbers(texts):
    vectors = HashingEmbedder().embed(texts)

    assert len(vectors) == len(texts)
    for vector in vectors:
        assert len(vector) == 384
        assert abs(sum(number * number for number in vector) - 1) < 1e-6
        assert all(float(np.float32(number)) == number for number in vector)


@given(st.lists(st.text(max_size=40), min_size=1, max_size=5))
def test_a_text_has_the_same_vector_alone_and_among_others(texts):
    together = HashingEmbedder().embed(texts)

    assert together == [HashingEmbedder().embed([text])[0] for text in texts]


@pytest.mark.parametrize(("first", "second"), RELATED)
def test_related_texts_are_near(first, second):
    assert cosine(first, second) > 0.35


@pytest.mark.parametrize(("first", "second"), UNRELATED)
def test_unrelated_texts_are_far(first, second):
    assert abs(cosine(first, second)) < 0.15


def test_a_word_said_ten_times_does_not_drown_the_others():
    assert cosine("lamp on the desk", "lamp " * 10 + "on the desk") > 0.7


@pytest.mark.parametrize("blank", ["", " \n", "!?", "…", "\ud800"])
def test_a_text_without_words_has_a_vector_that_a_cosine_index_takes(blank):
    (vector,) = HashingEmbedder().embed([blank])

    assert sum(number * number for number in vector) == 1


def test_one_text_over_the_limit_is_cut_to_it_and_the_others_are_embedded():
    long = "word and more " * CHARACTERS

    first, cut, last = HashingEmbedder().embed(["a lamp", long, "a desk"])

    assert [cut] == HashingEmbedder().embed([long[:CHARACTERS]])
    assert [first, last] == HashingEmbedder().embed(["a lamp", "a desk"])


def test_another_process_with_another_hash_seed_gives_the_same_numbers():
    texts = ["Take the égg, 取鸡蛋 12", "SELECT name FROM city"]
    script = (
        "import json, sys; from msce_graph.embedding import embedder; "
        "print(json.dumps(embedder('hashing').embed(json.loads(sys.argv[1]))))"
    )
    environment = {**os.environ, "PYTHONHASHSEED": "7"}

    output = subprocess.run(
        [sys.executable, "-c", script, json.dumps(texts)], check=True, capture_output=True, env=environment
    ).stdout

    assert [tuple(vector) for vector in json.loads(output)] == HashingEmbedder().embed(texts)


def test_the_numbers_are_those_that_stores_were_built_with():
    vectors = HashingEmbedder().embed(["Take the égg, 取鸡蛋 12", "get_order_details failed", ""])
    digest = hashlib.sha256(np.array(vectors, dtype="<f4").tobytes()).hexdigest()

    assert digest[:16] == "f5e5cdfd263b8e24"


def test_an_unknown_model_is_refused_by_name_with_those_that_exist():
    with pytest.raises(ValueError, match=r"'word2vec'.*hashing, minilm"):
        embedder("word2vec")


def test_the_default_model_says_its_name_and_size():
    model = embedder("hashing")

    assert (model.name, model.dimensions) == ("hashing", 384)
