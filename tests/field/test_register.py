"""Where each fault that was seen elsewhere is held: its number in the list of the field, and the tests that show it."""

from __future__ import annotations

import ast
from functools import cache

import pytest

from tests.support import ROOT

CONCURRENCY = "pipeline/test_concurrency.py"

FAULTS: dict[int, tuple[str, tuple[tuple[str, str], ...]]] = {
    1: (
        "two processes make the same index",
        ((CONCURRENCY, "test_two_processes_that_open_a_fresh_store_at_once_both_go_on"),),
    ),
    2: (
        "embeddings of another size or model",
        (
            ("store/test_migrations.py", "test_a_store_of_another_model_is_refused_with_the_command_that_embeds_again"),
            ("store/test_migrations.py", "test_a_store_of_another_size_is_refused"),
        ),
    ),
    3: (
        "one graph from several event loops and threads",
        (
            ("field/test_engine.py", "test_threads_and_event_loops_share_one_memory_at_once"),
            ("field/test_engine.py", "test_every_event_loop_gets_the_answer_that_a_thread_gets"),
        ),
    ),
    4: (
        "a database that the user names",
        (("field/test_engine.py", "test_a_database_is_named_to_the_session_and_never_to_a_statement"),),
    ),
    5: (
        "nested maps and lists of maps",
        (
            ("field/test_engine.py", "test_nested_arguments_and_observations_are_json_text_and_read_back_equal"),
            ("store/test_contract.py", "test_a_step_is_read_back_as_it_was_written"),
        ),
    ),
    6: (
        "times of the engine in JSON",
        (
            ("field/test_engine.py", "test_times_of_the_engine_are_iso_8601_in_utc_once_they_are_json"),
            ("store/test_contract.py", "test_times_of_any_zone_come_back_as_utc_and_compare_as_moments"),
        ),
    ),
    7: (
        "the Community edition",
        (
            ("field/test_engine.py", "test_the_schema_asks_for_nothing_that_the_community_edition_lacks"),
            ("store/test_contract.py", "test_tenants_do_not_see_each_other"),
        ),
    ),
    8: (
        "thousands of supporting steps",
        (("field/test_engine.py", "test_no_node_of_a_learned_graph_holds_a_list_that_grows_with_its_evidence"),),
    ),
    9: (
        "writers that deadlock",
        (
            ("store/test_contract.py", "test_writers_of_the_same_nodes_at_once_lose_nothing_and_double_nothing"),
            (CONCURRENCY, "test_three_processes_that_ingest_at_once_lose_nothing_and_double_nothing"),
        ),
    ),
    10: (
        "one text over the limit of an embedder",
        (
            (
                "field/test_writing.py",
                "test_one_text_over_every_limit_leaves_the_vectors_of_its_batch_as_they_would_be_alone",
            ),
            ("embedding/test_hashing.py", "test_one_text_over_the_limit_is_cut_to_it_and_the_others_are_embedded"),
        ),
    ),
    11: (
        "a write that matches nothing",
        (("store/test_contract.py", "test_an_edge_to_a_node_that_is_not_there_is_an_error_and_leaves_nothing"),),
    ),
    12: (
        "very long outputs",
        (
            (
                "field/test_learning.py",
                "test_long_outputs_are_cut_with_a_mark_and_the_graph_grows_with_its_episodes_alone",
            ),
        ),
    ),
    13: (
        "vector search over a large graph",
        (
            ("store/test_search.py", "test_the_index_finds_98_of_the_100_that_comparing_all_finds"),
            ("store/test_search.py", "test_a_small_store_is_searched_exactly_and_says_so"),
        ),
    ),
    14: (
        "a filter that leaves few of the nearest",
        (("store/test_search.py", "test_a_filter_that_few_pass_still_finds_k_or_all_there_are"),),
    ),
    15: (
        "operators and marks in a query",
        (
            ("store/test_search.py", "test_a_word_is_found_whatever_stands_around_it"),
            ("store/test_search.py", "test_only_operators_are_touched"),
        ),
    ),
    16: (
        "the same file twice",
        (("field/test_writing.py", "test_a_file_that_comes_again_changes_no_node_no_edge_and_no_property"),),
    ),
    17: (
        "a write that is sent again",
        ((CONCURRENCY, "test_a_repeated_idempotency_key_writes_once_however_many_threads_repeat_it"),),
    ),
    18: (
        "a budget that a restart renews",
        (
            (
                "language/test_language.py",
                "test_a_run_that_is_interrupted_spends_no_more_than_its_budget_in_all",
            ),
        ),
    ),
    19: (
        "what hung on a forgotten episode",
        (
            ("pipeline/test_forget.py", "test_the_graph_is_the_one_that_never_saw_the_episode"),
            ("pipeline/test_forget.py", "test_nothing_dangles"),
        ),
    ),
    20: (
        "words of a forgotten step in derived text",
        (("pipeline/test_forget.py", "test_no_property_keeps_a_word_of_what_was_forgotten"),),
    ),
    21: (
        "a policy that no new episode touches",
        (("field/test_learning.py", "test_a_policy_is_promoted_by_episodes_that_never_touch_it"),),
    ),
    22: (
        "floors that do not fit the scale of values",
        (
            ("field/test_gates.py", "test_rewards_of_a_smaller_scale_pass_every_gate_as_well"),
            ("field/test_gates.py", "test_gains_lie_on_every_side_of_every_threshold"),
        ),
    ),
    23: (
        "agents that never report how a skill went",
        (
            ("pipeline/test_life.py", "test_each_trial_leads_to_its_episode_and_its_skill"),
            ("pipeline/test_life.py", "test_the_episodes_that_built_a_skill_are_no_trials_of_it"),
        ),
    ),
    24: (
        "skills that fail again and again",
        (
            ("pipeline/test_life.py", "test_three_failures_in_a_row_archive_a_skill_on_trial_and_nothing_revives_it"),
            ("pipeline/test_life.py", "test_an_active_skill_is_archived_once_its_failures_are_no_bad_luck"),
            ("pipeline/test_life.py", "test_a_skill_whose_policy_loses_its_gain_is_suspended_and_returns_as_it_was"),
            ("learning/test_lifecycle.py", "test_the_case_holds"),
        ),
    ),
    25: (
        "chat without tools, one episode many times",
        (
            ("field/test_learning.py", "test_talk_alone_never_makes_a_policy_however_often_it_goes_well"),
            ("pipeline/test_evolve.py", "test_a_policy_is_never_induced_from_copies_of_one_episode"),
            (
                "pipeline/test_evolve.py",
                "test_a_policy_is_never_induced_from_two_episodes_however_often_they_repeat_a_step",
            ),
        ),
    ),
    26: (
        "checks that look at words",
        (
            (
                "field/test_checks.py",
                "test_chinese_evidence_whose_arguments_look_like_tools_passes_the_checks_of_an_english_draft",
            ),
            ("field/test_checks.py", "test_a_discarded_draft_is_not_made_again_before_its_evidence_changes"),
        ),
    ),
    27: (
        "two tenants at the same time",
        (
            ("field/test_tenants.py", "test_tenants_that_call_at_the_same_time_get_what_each_gets_alone"),
            ("field/test_tenants.py", "test_no_edge_leads_from_one_tenant_to_another"),
        ),
    ),
    28: (
        "secrets, and what recall gave, in a trajectory",
        (
            ("field/test_writing.py", "test_what_recall_gave_is_no_evidence_when_it_comes_back_in_a_log"),
            (
                "field/test_writing.py",
                "test_a_secret_of_a_log_is_nowhere_in_the_graph_nor_in_what_is_learned_from_it",
            ),
            (
                "field/test_writing.py",
                "test_a_secret_that_was_stored_before_it_was_known_for_one_is_redacted_on_recall",
            ),
        ),
    ),
    29: (
        "a query that does more than read",
        (("store/test_guard.py", "test_a_query_that_would_do_more_than_read_is_refused_and_changes_nothing"),),
    ),
    30: (
        "a hostile output that asks to become a skill",
        (
            ("pipeline/test_trust.py", "test_what_rests_on_untrusted_origin_alone_is_no_skill_until_it_is_trusted"),
            ("pipeline/test_trust.py", "test_words_of_a_page_that_an_own_episode_read_are_no_step_and_no_guidance"),
        ),
    ),
    31: (
        "a step of an episode that does not exist",
        (
            ("field/test_writing.py", "test_a_step_of_an_episode_that_is_gone_is_an_error_that_names_it"),
            ("field/test_writing.py", "test_a_step_of_an_episode_that_was_never_entered_is_an_error_that_names_it"),
        ),
    ),
    32: (
        "ten threads that record one episode",
        (
            (
                CONCURRENCY,
                "test_ten_threads_that_record_steps_of_one_episode_give_ten_indexes_and_an_unbroken_chain",
            ),
        ),
    ),
    33: (
        "no embedder, or one of the wrong size",
        (
            ("field/test_opening.py", "test_a_model_that_cannot_be_had_is_told_at_opening_with_what_to_do"),
            ("field/test_opening.py", "test_vectors_of_another_size_are_told_at_opening_before_the_first_write"),
        ),
    ),
    34: (
        "a node that is written again",
        (("store/test_contract.py", "test_a_node_that_is_written_again_keeps_its_edges_and_its_time_of_creation"),),
    ),
    35: (
        "support that counts more than there is",
        (
            (
                "field/test_learning.py",
                "test_support_counts_different_episodes_and_the_same_evidence_again_adds_nothing",
            ),
            ("field/test_learning.py", "test_no_policy_counts_more_episodes_than_support_it"),
        ),
    ),
    36: (
        "thanks that become evidence",
        (
            (
                "field/test_learning.py",
                "test_what_a_user_says_afterwards_is_feedback_and_never_what_an_agent_did_or_a_skill_says",
            ),
        ),
    ),
    37: (
        "a stage that a gate skips in silence",
        (
            ("field/test_gates.py", "test_a_policy_without_a_skill_says_which_gate_it_fails_by_how_much"),
            (
                "field/test_gates.py",
                "test_a_discarded_draft_leaves_a_decision_with_the_checks_that_failed_and_their_witnesses",
            ),
        ),
    ),
    38: (
        "a part that is degraded in silence",
        (
            ("pipeline/test_doctor.py", "test_a_missing_index_is_a_problem_with_what_to_do"),
            ("pipeline/test_doctor.py", "test_a_server_that_takes_no_writes_is_a_problem"),
            ("pipeline/test_recall.py", "test_without_an_index_the_others_answer_and_it_is_told"),
        ),
    ),
}
"""By number: the fault in short, and the tests that hold it."""

HELD = [(number, *test) for number, (_, tests) in FAULTS.items() for test in tests]


@cache
def names_in(file: str) -> frozenset[str]:
    """Return the names of the tests of a file."""
    tree = ast.parse((ROOT / "tests" / file).read_text(encoding="utf-8"))
    return frozenset(node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef))


@pytest.mark.parametrize(("number", "file", "name"), HELD)
def test_a_fault_is_held_by_a_test_that_is_there(number, file, name):
    assert name in names_in(file)


def test_every_fault_that_the_product_meets_so_far_is_held():
    assert set(FAULTS) == set(range(1, 39))
