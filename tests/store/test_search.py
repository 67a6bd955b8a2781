from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from msce_graph.store import Store, rows
from msce_graph.store.search import Found, Search, found, plain_words
from tests.store.samples import clustered, episode, put, step
from tests.store_fixture import NOW, Place

STORED = 5_200
VECTORS = clustered(STORED, seed=1)
RARE = 1_300  # every so many steps one went well


@pytest.fixture(scope="module")
def large(place: Place) -> Iterator[Store]:
    """A store of more vectors than exact search is for."""
    place.empty()
    with place.migrated() as store:
        given = []
        for number, vector in enumerate(VECTORS.tolist()):
            name = f"egg#{number}"
            properties = {
                "key": f"test/{name}",
                "namespace": "test",
                "id": name,
                "tool": "heat",
                "value": 1.0 if number % RARE == 0 else -1.0,
                "text": "heat the water",
                "embedding": vector,
            }
            given.append({"key": properties["key"], "created_at": NOW, "properties": properties})
        store.write(lambda tx: tx.put("evidence/put", given))
        yield store


def find(store: Store, vector: object, k: int = 10, **filters: Any) -> Found:
    asked = np.asarray(vector).tolist()
    search = Search("evidence", "vector", k, exact_below=2000, **filters)
    [answer] = store.read(lambda tx: found(tx, [search], vector=asked))
    return answer


def truly_nearest(vector: object, k: int = 10) -> list[tuple[str, float]]:
    asked = np.asarray(vector, dtype=np.float64)
    cosines = VECTORS.astype(np.float64) @ asked / np.linalg.norm(asked)
    return [(f"test/egg#{number}", float(cosines[number])) for number in np.argsort(-cosines)[:k]]


def words(store: Store, text: str, **filters: Any) -> list[str]:
    search = Search("evidence", "text", 5, **filters)
    [answer] = store.read(lambda tx: found(tx, [search], text=text))
    return [key for key, _ in answer.items]


# Vectors ------------------------------------------------------------------------------------------------------------


def test_the_index_finds_98_of_the_100_that_comparing_all_finds(large, record_property):
    random = np.random.default_rng(2)
    asked = VECTORS[random.integers(STORED, size=60)] + random.normal(size=(60, VECTORS.shape[1])) / 19.6

    answers = [find(large, vector) for vector in asked]

    assert {each.way for each in answers} == {"index"}
    hits = [
        len(dict(each.items).keys() & dict(truly_nearest(vector)).keys())
        for each, vector in zip(answers, asked, strict=True)
    ]
    recall = sum(hits) / (10 * len(hits))
    record_property("recall@10", recall)
    assert recall >= 0.98


def test_a_score_is_the_cosine(large):
    items = find(large, VECTORS[7]).items

    assert items[0] == ("test/egg#7", 1.0)
    assert dict(items) == pytest.approx(dict(truly_nearest(VECTORS[7])), abs=2e-6)


def test_a_filter_that_few_pass_still_finds_k_or_all_there_are(large):
    rare = find(large, VECTORS[7], sign=1)

    assert sorted(dict(rare.items)) == sorted(f"test/egg#{number}" for number in range(0, STORED, RARE))
    assert len(find(large, VECTORS[7], 3, sign=1).items) == 3
    assert find(large, VECTORS[7], domain="garden").items == []


def test_vectors_of_another_tenant_neither_show_nor_crowd_out(place: Place, large):
    crowd = [step("spy", number, namespace="other", embedding=tuple(VECTORS[9].tolist())) for number in range(100)]
    with place.migrated("other") as other:
        other.write(lambda tx: tx.put("evidence/put", map(rows.put_row, crowd)))

    answer = find(large, VECTORS[9])

    assert len(answer.items) == 10
    assert all(key.startswith("test/") for key, _ in answer.items)


def test_a_filter_that_the_tier_has_not_is_refused_with_those_it_has(large):
    with pytest.raises(ValueError, match="no filter statuses, only domain, sign"):
        find(large, VECTORS[7], statuses=("active",))
    with pytest.raises(ValueError, match="episodes have no vectors"):
        Search("episode", "vector", 3)


def test_searches_of_one_call_each_get_what_they_would_get_alone(large):
    asked = VECTORS[7].tolist()
    searches = [
        Search("evidence", "vector", 3, exact_below=2000, sign=1),
        Search("evidence", "text", 2),
        Search("evidence", "vector", 5, exact_below=2000),
        Search("policy", "vector", 5),
        Search("evidence", "vector", 4, exact_below=10**6),
    ]

    together = large.read(lambda tx: found(tx, searches, vector=asked, text="water"))
    alone = [large.read(lambda tx, one=one: found(tx, [one], vector=asked, text="water"))[0] for one in searches]

    assert together == alone
    assert [len(answer.items) for answer in together] == [3, 2, 5, 0, 4]


def test_a_small_store_is_searched_exactly_and_says_so(store):
    steps = [step("egg", number, embedding=tuple(VECTORS[number].tolist())) for number in range(30)]
    store.write(lambda tx: put(tx, episode("egg"), steps))

    answer = find(store, VECTORS[3], 30)

    cosines = VECTORS[:30].astype(np.float64) @ VECTORS[3].astype(np.float64)
    assert answer.way == "exact"
    assert [key for key, _ in answer.items] == [f"test/egg#{number}" for number in np.argsort(-cosines)]
    assert len(find(store, VECTORS[3], domain="kitchen").items) == 10
    assert find(store, VECTORS[3], domain="garden").items == []


def test_equal_scores_are_in_the_order_of_their_keys(store):
    steps = [step("egg", number, embedding=tuple(VECTORS[0].tolist())) for number in (3, 1, 2)]
    store.write(lambda tx: tx.put("evidence/put", map(rows.put_row, steps)))

    assert [key for key, _ in find(store, VECTORS[0]).items] == ["test/egg#1", "test/egg#2", "test/egg#3"]


def test_an_empty_store_and_a_vector_without_direction_find_nothing(store):
    assert find(store, VECTORS[0]).items == []
    assert find(store, np.zeros(VECTORS.shape[1])).items == []


# Text ---------------------------------------------------------------------------------------------------------------


@pytest.fixture
def texts(store: Store) -> Store:
    """A store with one step for each kind of text."""
    told = [
        "salt AND pepper",
        "upgrade cabin-class",
        'he said "never" (twice)',
        "我想取消预订这个航班",
        "a\\b c:/d e^f",
    ]
    steps = [step("egg", number, text=text) for number, text in enumerate(told)]
    store.write(lambda tx: put(tx, episode("egg"), steps))
    return store


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("AND", 0),
        ("pepper", 0),
        ("NOT pepper OR", 0),
        ("cabin-class", 1),
        ("CABIN", 1),
        ('"never', 2),
        ("never)", 2),
        ("取消", 3),
        ("我想取消预订", 3),
        ("e^f", 4),
    ],
)
def test_a_word_is_found_whatever_stands_around_it(texts, text, number):
    assert words(texts, text)[:1] == [f"test/egg#{number}"]


@pytest.mark.parametrize("text", ["", "   ", "(", '"', "&& || !", "* ?", "/", "~", "zebra", "𝕏"])
def test_a_text_without_known_words_finds_nothing_and_is_no_error(texts, text):
    assert words(texts, text) == []


def test_a_very_long_text_is_no_error(texts):
    assert words(texts, "取消预订这个航班啊" * 500)[:1] == ["test/egg#3"]
    assert words(texts, " ".join(f"word{number}" for number in range(5_000)) + " pepper") == []


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.text(st.characters(exclude_categories=["Cs"]), max_size=30)
    | st.from_regex(r'[\w+\-&|!(){}\[\]^"~*?:\\/ ]{0,20}')
)
def test_no_text_is_an_error(texts, text):
    words(texts, text)


def test_texts_of_another_tenant_do_not_show(place: Place, texts):
    with place.migrated("other") as other:
        other.write(
            lambda tx: put(tx, episode("egg", namespace="other"), [step("egg", 0, namespace="other", text="pepper")])
        )

        assert words(other, "pepper") == ["other/egg#0"]
    assert words(texts, "pepper") == ["test/egg#0"]
    assert words(texts, "pepper", domain="garden") == []


def test_only_operators_are_touched():
    assert plain_words("Boil AND stir get_user-details, sand") == r"Boil and stir get_user\-details, sand"
