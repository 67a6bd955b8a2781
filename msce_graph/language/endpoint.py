"""An endpoint that speaks as OpenAI's chat completions do: one request a question, bounded in every direction."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable, Mapping
from typing import Annotated, Any
from urllib.parse import urlsplit

import httpx
from pydantic import BaseModel, Field, JsonValue, ValidationError

from msce_graph.errors import LanguageModelUnavailable, NoAnswer, UnusableAnswer
from msce_graph.language import A
from msce_graph.language.budget import Budget

ANSWER_TOKENS = 4_000
"""Tokens of an answer at most, those of the model's own thoughts included."""
_ATTEMPTS = 3
_PATIENCE = 10.0
"""Seconds waited at most between two attempts, whatever the endpoint asks for."""
_QUESTION = 60_000
"""Characters of a question at most."""
_BYTES = 400_000
"""Bytes of a response that are read at most."""
_AGAIN = frozenset({408, 429, 500, 502, 503, 504, 529})
_OTHERWISE = {"max_tokens": "max_completion_tokens", "temperature": None}
"""Parameters that newer models refuse, with what they take instead."""
_OBJECT = re.compile(r"\A\s*(?:<think>.*?</think>)?\s*(?:```(?:json)?\s*)?(\{.*\})\s*(?:```)?\s*\Z", re.DOTALL)
_NAME = 100


class _Message(BaseModel):
    content: str | None = None


class _Choice(BaseModel):
    message: _Message
    finish_reason: str | None = None


class _Usage(BaseModel):
    total_tokens: Annotated[int, Field(ge=0)]


class _Reply(BaseModel):
    choices: Annotated[list[_Choice], Field(min_length=1)]
    usage: _Usage | None = None


class _SlowError(Exception):
    """The response was not whole in time."""


class Endpoint:
    """A model behind an OpenAI-compatible endpoint.

    The key goes into one header and nowhere else; what an endpoint says of a failure is never repeated, since it may
    repeat the key.
    """

    def __init__(
        self, url: str, model: str, key: str, *, seconds: float, wait: Callable[[float], None] = time.sleep
    ) -> None:
        self._url, self._place = _checked(url)
        if not model.isprintable() or len(model) > _NAME:
            raise LanguageModelUnavailable(f"MSCE_LLM_MODEL is no name of at most {_NAME} printable characters")
        if not re.fullmatch(r"[!-~]*", key):
            raise LanguageModelUnavailable("OPENAI_API_KEY holds characters that no key has: set it again")
        self.name, self._key, self._seconds, self._wait = model, key, seconds, wait
        self._parameters: dict[str, Any] = {"max_tokens": ANSWER_TOKENS, "temperature": 0}

    def complete(self, instructions: str, data: Mapping[str, JsonValue], answer: type[A], budget: Budget) -> A:
        """Return the model's answer, as `LanguageModel` says; what it says beyond the form is dropped."""
        form = json.dumps(answer.model_json_schema(), ensure_ascii=False)
        system = f"{instructions}\n\nAnswer with one JSON object and nothing else. Its JSON Schema: {form}"
        user = json.dumps(data, ensure_ascii=False)
        if len(system) + len(user) > _QUESTION:
            raise UnusableAnswer(f"a question of {len(system) + len(user)} characters is not asked")
        reply = self._asked([{"role": "system", "content": system}, {"role": "user", "content": user}], budget)
        return _read(reply.choices[0], answer)

    # One question -------------------------------------------------------------------------------------------------

    def _asked(self, messages: list[dict[str, str]], budget: Budget) -> _Reply:
        """Send a question until it is answered, at most `_ATTEMPTS` times; each is charged."""
        question = sum(tokens_of(message["content"]) for message in messages)
        failure, attempts, after = "", 0, None
        while attempts < _ATTEMPTS:
            if attempts:
                self._wait(_pause(attempts, after))
            budget.reserve(question + ANSWER_TOKENS)
            attempts += 1
            try:
                status, headers, body = self._sent(messages)
            except (httpx.TimeoutException, _SlowError):  # it may have been answered all the same: it stays charged
                failure, after = f"gave no whole answer within {self._seconds:g} s", None
                continue
            except httpx.TransportError as error:
                budget.settle(question + ANSWER_TOKENS, 0)
                failure, after = f"cannot be reached ({type(error).__name__})", None
                continue
            if status == 200:
                return self._reply(body, question, budget)
            budget.settle(question + ANSWER_TOKENS, 0)
            failure, after = f"answers with status {status}", headers.get("retry-after")
            if status == 400 and self._adapted(body):
                attempts -= 1
            elif status not in _AGAIN:
                break
        raise NoAnswer(f"the language model at {self._place} {failure}, asked {attempts} times")

    def _sent(self, messages: list[dict[str, str]]) -> tuple[int, httpx.Headers, bytes]:
        """Return status, headers and body of one request; the time is that of all of it, not of each packet."""
        until = time.monotonic() + self._seconds
        given = {"Authorization": f"Bearer {self._key}"} if self._key else {}
        question = {"model": self.name, "messages": messages, **self._parameters}
        with (
            httpx.Client(timeout=self._seconds) as client,
            client.stream(
                "POST", self._url, json=question, headers={**given, "Accept-Encoding": "identity"}
            ) as response,
        ):
            body = b""
            for part in response.iter_raw():
                body += part
                if time.monotonic() > until:
                    raise _SlowError
                if len(body) > _BYTES:
                    break
            return response.status_code, response.headers, body

    def _reply(self, body: bytes, question: int, budget: Budget) -> _Reply:
        """Return what a response of status 200 says, charged as it says itself, else by its length."""
        estimate = question + min(ANSWER_TOKENS, tokens_of(body.decode(errors="replace")))
        if self._key and self._key.encode() in body:
            budget.settle(question + ANSWER_TOKENS, estimate)
            raise UnusableAnswer("the answer repeats the key")
        try:
            if len(body) > _BYTES:
                raise UnusableAnswer(f"the response is longer than {_BYTES} bytes")
            reply = _Reply.model_validate_json(body)
        except (ValidationError, UnusableAnswer) as error:
            budget.settle(question + ANSWER_TOKENS, estimate)
            raise UnusableAnswer(
                str(error) if isinstance(error, UnusableAnswer) else "the response is no chat completion"
            ) from None
        budget.settle(question + ANSWER_TOKENS, reply.usage.total_tokens if reply.usage else estimate)
        return reply

    def _adapted(self, body: bytes) -> bool:
        """Leave out or rename a parameter that the model refuses; return whether that was one."""
        try:
            refused = json.loads(body)["error"]["param"]
        except (ValueError, KeyError, TypeError):
            return False
        if refused not in _OTHERWISE or refused not in self._parameters:
            return False
        value, name = self._parameters.pop(refused), _OTHERWISE[refused]
        if name is not None:
            self._parameters[name] = value
        return True


def tokens_of(text: str) -> int:
    """Return about how many tokens a text is, rather too many: a third of its ASCII characters and all others."""
    others = sum(not sign.isascii() for sign in text)
    return 1 + others + (len(text) - others) // 3


def _read(choice: _Choice, answer: type[A]) -> A:
    """Return the answer in its form; the JSON object may stand in a fence or behind thoughts."""
    if choice.finish_reason == "length":
        raise UnusableAnswer(f"the answer was cut off at {ANSWER_TOKENS} tokens")
    found = _OBJECT.match(choice.message.content or "")
    if found is None:
        raise UnusableAnswer("the answer is no JSON object")
    try:
        return answer.model_validate_json(found[1])
    except ValidationError as error:
        faults = [".".join(map(str, fault["loc"])) for fault in error.errors() if fault["loc"]]
        where = f"the answer does not fit its form at {', '.join(faults)[:200]}" if faults else "the answer is no JSON"
        raise UnusableAnswer(where) from None


def _checked(url: str) -> tuple[str, str]:
    """Return the address of chat completions, and the endpoint as it may be told: without what may be secret."""
    try:
        parts = urlsplit(url)
        host, port = parts.hostname, parts.port
    except ValueError:
        host = None
    if not host or parts.scheme not in ("http", "https"):
        raise LanguageModelUnavailable("MSCE_LLM_BASE_URL is no http or https address such as http://localhost:8000/v1")
    if parts.username or parts.password or parts.query or parts.fragment:
        raise LanguageModelUnavailable("MSCE_LLM_BASE_URL holds more than an address: a key belongs in OPENAI_API_KEY")
    return f"{url.rstrip('/')}/chat/completions", f"{host}:{port}" if port else host


def _pause(attempts: int, after: str | None) -> float:
    """Return how many seconds to wait: what the endpoint asks for, else twice as long each time; both bounded."""
    asked = float(after) if after and re.fullmatch(r"\d{1,6}(\.\d+)?", after) else 0.5 * 2**attempts
    return min(asked, _PATIENCE)
