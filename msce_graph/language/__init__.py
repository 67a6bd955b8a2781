"""A language model, where one is configured: what it is asked, what an answer looks like, and what it may cost."""

from __future__ import annotations

from collections.abc import Mapping
from importlib.util import find_spec
from typing import Protocol, TypeVar

from pydantic import BaseModel, JsonValue

from msce_graph.errors import LanguageModelUnavailable
from msce_graph.language.budget import Budget
from msce_graph.settings import Settings

A = TypeVar("A", bound=BaseModel)

DEFAULT_URL = "https://api.openai.com/v1"
_PACKAGE = "httpx"


class LanguageModel(Protocol):
    """A model of one name that answers in JSON."""

    @property
    def name(self) -> str:
        """What the graph says graded or worded something."""

    def complete(self, instructions: str, data: Mapping[str, JsonValue], answer: type[A], budget: Budget) -> A:
        """Return the model's answer about some data, which are data to it and no instructions, in the given form.

        Raises NoAnswer where the same may be asked again later, UnusableAnswer where that would only be paid again, and
        BudgetSpent where the budget does not allow the question; then nothing is sent.
        """


def configured(environment: Mapping[str, str], settings: Settings) -> LanguageModel | None:
    """Return the language model that MSCE_LLM_BASE_URL, MSCE_LLM_MODEL and OPENAI_API_KEY name; null where none is.

    Without MSCE_LLM_BASE_URL the key is one of OpenAI; a key alone configures nothing. Raises LanguageModelUnavailable
    where the extra is not installed, or where the variables do not name a model that could be asked.
    """
    url, model = environment.get("MSCE_LLM_BASE_URL", "").strip(), environment.get("MSCE_LLM_MODEL", "").strip()
    key = environment.get("OPENAI_API_KEY", "").strip()
    if not url and not model:
        return None
    if not model:
        raise LanguageModelUnavailable("MSCE_LLM_BASE_URL is set: name a model of that endpoint in MSCE_LLM_MODEL too")
    if not url and not key:
        raise LanguageModelUnavailable(
            "MSCE_LLM_MODEL is set: give the endpoint in MSCE_LLM_BASE_URL, or the key of an OpenAI account in "
            "OPENAI_API_KEY"
        )
    if find_spec(_PACKAGE) is None:
        raise LanguageModelUnavailable(
            f"a language model is configured, and it needs {_PACKAGE}: install it with `pip install 'msce_graph[llm]'` "
            "or unset MSCE_LLM_MODEL and MSCE_LLM_BASE_URL"
        )
    from msce_graph.language.endpoint import Endpoint

    return Endpoint(url or DEFAULT_URL, model, key, seconds=settings.llm_timeout_seconds)


__all__ = ["Budget", "LanguageModel", "configured"]
