"""Secrets in logs (tokens, passwords, private keys) and the marks that stand in their place."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple

from detect_secrets.plugins.aws import AWSKeyDetector
from detect_secrets.plugins.azure_storage_key import AzureStorageKeyDetector
from detect_secrets.plugins.github_token import GitHubTokenDetector
from detect_secrets.plugins.gitlab_token import GitLabTokenDetector
from detect_secrets.plugins.mailchimp import MailchimpDetector
from detect_secrets.plugins.pypi_token import PypiTokenDetector
from detect_secrets.plugins.sendgrid import SendGridDetector
from detect_secrets.plugins.slack import SlackDetector
from detect_secrets.plugins.square_oauth import SquareOAuthDetector
from detect_secrets.plugins.stripe import StripeDetector
from detect_secrets.plugins.telegram_token import TelegramBotTokenDetector
from detect_secrets.plugins.twilio import TwilioKeyDetector
from pydantic import JsonValue


def redact(text: str) -> str:
    """Return the text with each secret replaced by `[redacted KIND]`; doing it again changes nothing."""
    redacted = _redact_once(text)
    while redacted != text:  # a mark may bring a name and a secret together; each pass leaves less that is no mark
        text, redacted = redacted, _redact_once(redacted)
    return redacted


def redact_value(value: JsonValue) -> JsonValue:
    """Return the value with its texts redacted at any depth (records allow 255 levels).

    A text goes whole where its field's name, or the option before it in a command's list of words, says what it is.
    Two names that become the same mark are told apart by a number, so that nothing is dropped.
    """
    return _redact_named(value, "")


def _redact_named(value: JsonValue, name: str) -> JsonValue:
    if isinstance(value, dict):
        return _redact_fields(value)
    if isinstance(value, list):
        return _redact_elements(value, name)
    kind = _kind_of_field(name)
    if isinstance(value, str):
        return _redact_text(value, kind)
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return _mark(kind) if is_number and kind == "password" else value


def _redact_fields(fields: dict[str, JsonValue]) -> dict[str, JsonValue]:
    told = next((fields[label] for label in ("name", "key", "field") if isinstance(fields.get(label), str)), "")
    redacted: dict[str, JsonValue] = {}
    for field, value in fields.items():
        # {"name": "password", "value": ..} is how forms and environments list their fields
        name = str(told) if field == "value" else field
        redacted[_unused(_redact_field(field), redacted)] = _redact_named(value, name)
    return redacted


@lru_cache(maxsize=4096)
def _redact_field(field: str) -> str:
    """Return the redacted name of a field; the structures of one log name few, again and again."""
    return redact(field)


def _unused(name: str, taken: dict[str, JsonValue]) -> str:
    number, unused = 1, name
    while unused in taken:
        number += 1
        unused = f"{name} {number}"
    return unused


def _redact_elements(elements: list[JsonValue], name: str) -> list[JsonValue]:
    redacted: list[JsonValue] = []
    option = ""
    for element in elements:
        redacted.append(_redact_named(element, option or name))
        is_option = isinstance(element, str) and element.startswith("--")
        option = str(element) if is_option else ""
    return redacted


def _redact_text(text: str, kind: str) -> str:
    if not kind or _is_stand_in(text) or (kind == "token" and not _TOKEN_SHAPE.fullmatch(text)):
        return redact(text)
    return _mark(kind)


@lru_cache(maxsize=4096)
def _kind_of_field(name: str) -> str:
    """Return the kind of secret that a field of this name holds, empty where it holds none."""
    match = _FIELD.search(name)
    return "" if match is None else str(match.lastgroup)


class _Rule(NamedTuple):
    """A pattern whose last group to close is the secret; a text is searched if it holds one of the lower-case hints."""

    kind: str
    hints: tuple[str, ...]
    pattern: re.Pattern[str]
    is_folded: bool = False
    """Whether the pattern, written in lower case, is for the text in lower case."""


def _redact_once(text: str) -> str:
    lowered = _lowered(text)
    hints = _hints(lowered)
    if not hints:
        return text
    for rule in _RULES:
        if not hints.isdisjoint(rule.hints):
            redacted = _apply(rule, text, lowered)
            if redacted != text:
                text, lowered = redacted, _lowered(redacted)
                hints = _hints(lowered)
    return text


def _hints(lowered: str) -> frozenset[str]:
    """Return the hints of all rules that a text in lower case holds: most texts hold none, and are searched no more."""
    return frozenset([hint for hint in _HINTS if hint in lowered])


def _lowered(text: str) -> str:
    """Return the text in lower case and of the same length: only the dotted capital I would grow."""
    return text.replace("\u0130", "i").lower()


def _apply(rule: _Rule, text: str, lowered: str) -> str:
    pieces, done = [], 0
    for match in rule.pattern.finditer(lowered if rule.is_folded else text):
        start, end = match.span(match.lastindex or 0)
        if not _is_stand_in(text[start:end]):
            pieces += [text[done:start], _mark(rule.kind)]
            done = end
    return "".join([*pieces, text[done:]])


def _mark(kind: str) -> str:
    return f"[redacted {kind}]"


def _is_stand_in(text: str) -> bool:
    """Whether the text only stands where a secret would: a mark, a variable, a placeholder, a word of prose."""
    return text.startswith("[redacted ") or (len(text) <= 80 and _STAND_IN.fullmatch(text) is not None)


_STAND_IN = re.compile(
    r"""\s* | [*•.…_?#-]+ | x{3,} | \\+ | <[^>]*> | \{[^}]*\} | %\(?\w+\)?s? | \$\w+ | \$[({].*
    | null | nil | none | undefined | true | false | string | str | required | optional | empty | missing | hidden
    | invalid | incorrect | wrong | expired | must | should | may | can | is | are | was | has | not | no | the | your
    | a | an | at | for | and | or | to | in
    | (?:\w+\.)*(?:(?:new|old|my|your|user|raw|current|the)_?)?(?:password|passwd|pwd|secret|token|(?:api_?)?key)s?
    """,
    re.IGNORECASE | re.VERBOSE,
)
_TOKEN_SHAPE = re.compile(r"(?=\D*\d|\S{20})[A-Za-z0-9._~+/=:-]{8,}")

_FIELD_NAMES = {
    "password": r"pass(?:word|wd|phrase|code)|pwd(?!=\/)|(?<=[_-])pass|passwort|contraseña|contrasena|senha|пароль"
    r"|密码|口令|パスワード|비밀번호",
    "secret": r"(?:api|secret|access|private|auth|account|encryption|signing|master|service|storage)[_-]?key"
    r"|(?:access|auth|refresh|api|bearer|session|private|id|bot|csrf|deploy|security|personal|jwt)[_-]?token"
    r"|secret|credential|密钥|令牌",
}
_FIELD_HINTS = {
    "password": ("pass", "pwd", "contrase", "senha", "пароль", "密码", "口令", "パスワード", "비밀번호"),
    "secret": ("key", "token", "secret", "credential", "密钥", "令牌"),
}
_SUFFIX = r"(?:s|[_-]?(?:hash|base|value|prod|dev|test|live|confirm(?:ation)?|[0-9]{1,3}))?"
_FIELD = re.compile(
    rf"(?:(?P<password>^pass|{_FIELD_NAMES['password']})|(?P<secret>{_FIELD_NAMES['secret']})"
    rf"|(?P<token>(?<![A-Za-z_])token)){_SUFFIX}$",
    re.IGNORECASE,
)

_ASSIGNS = r"""(?:\\{0,3}["'`])?\]?[ \t]{0,5}(?:=>|:=|={1,3}|[:：＝])[ \t]{0,5}"""
# A comma ends a bare word only where a list goes on; a bracket opened after it makes it a reference in code.
_BARE = (
    r"""((?:[^\s"'`,;&|<>(){}\[\]\\，。；、！？）】》」]|,(?!\s|$|["'}\]]|[\w-]+[ \t]*[:=]))++)"""
    r"""(?!\(|\[["'])"""
)
_NOT_IN_A_MARK = r"(?<!\[redacted )"


def _quoted(quote: str) -> str:
    """Return the pattern of a text between quotes, escaped ones of JSON in JSON among them."""
    return rf"""(?P<{quote}>\\{{0,3}}["'])((?:(?!(?P={quote}))(?:\\.|[^\\\n]))++)(?P={quote})"""


def _assigned(kind: str) -> list[_Rule]:
    """Return the rules for a secret given to a name: in JSON (also JSON in JSON), YAML, code, XML, SQL, a shell."""
    named = rf"{_NOT_IN_A_MARK}(?:{_FIELD_NAMES[kind]}){_SUFFIX}"
    value = rf"""{_ASSIGNS}(?:{_quoted("assigned")}|(?:\\{{0,3}}["'`])?{_BARE})"""
    follows = rf"(?:{value}|>([^<\n]+)</|[ \t]+{_quoted('spoken')})"
    return [
        _Rule(kind, _FIELD_HINTS[kind], re.compile(named + follows), is_folded=True),
        _Rule(kind, ("--",), re.compile(rf"--[\w-]{{0,30}}?{named}[ \t]+(?!-){_BARE}"), is_folded=True),
    ]


def _known(kind: str, hints: tuple[str, ...], denylist: Iterable[re.Pattern[str]]) -> list[_Rule]:
    """Return the rules of a detect-secrets plugin; the secret is its whole match and what the token goes on with."""
    return [_Rule(kind, hints, re.compile(rf"((?:{pattern.pattern})[\w-]*)", pattern.flags)) for pattern in denylist]


def _own(kind: str, hints: tuple[str, ...], pattern: str, *, is_folded: bool = False) -> _Rule:
    return _Rule(kind, hints, re.compile(pattern), is_folded)


_AFTER_PROGRAM = r"""\b[^\n|;&]{0,300}?[ \t]"""
_WORD = r"""["']?((?:(?!\[redacted )[^\s"'|;&])+)"""
_COMMANDS = [
    _own("password", ("mysql", "mariadb"), rf"(?:mysql|mariadb)[a-z-]*{_AFTER_PROGRAM}-p{_WORD}"),
    _own("password", ("sshpass",), rf"sshpass{_AFTER_PROGRAM}-p[ \t]*{_WORD}"),
    _own("password", ("login",), rf"(?:docker|podman|helm|az)[ \t].{{0,40}}?login{_AFTER_PROGRAM}-p[ \t]*{_WORD}"),
    _own("password", ("redis-cli",), rf"redis-cli{_AFTER_PROGRAM}-a[ \t]+{_WORD}"),
    _own(
        "password",
        ("curl", "wget", "http"),
        rf"""(?:curl|http|https|wget){_AFTER_PROGRAM}(?:-u|--user|-a|--auth)[ \t=]*["']?[^\s:"'/]{{1,100}}:{_WORD}""",
    ),
    _own(
        "password",
        ("sudo", "passwd"),
        r"""echo[ \t]+(?:-n[ \t]+)?["']?(?:[\w.-]{1,64}:)?((?:(?!\[redacted )[^\s"'|:])+)["']?"""
        r"[ \t]*\|[ \t]*(?:sudo[ \t]+)?(?:sudo[ \t]+-S|-S|chpasswd|passwd[ \t]+--stdin)",
    ),
    _own("password", ("identified",), r"identified\s+(?:with\s+\w+\s+)?by\s+'([^'\n]+)'", is_folded=True),
]

_KEY_TEXT = r"(?:\s|\\[nr]|[A-Za-z0-9+/=]{16,})"
_RULES: list[_Rule] = [
    _own(
        "private key",
        ("private key",),
        r"(-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----"
        r"(?:(?:(?!-----BEGIN)[\s\S]){0,20000}?-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----"
        rf"|{_KEY_TEXT}*+))",
    ),
    _own(
        "authorization",
        ("authorization",),
        r"""authorization["'\\]{0,4}\s{0,5}[:=]\s{0,5}["'\\]{0,4}(?:(?:bearer|basic|token|digest|apikey|negotiate)\s+)?"""
        r"""((?!(?:bearer|basic|token|digest|apikey|negotiate)\b)[^\s"'\\,;<>\[\]]{8,})""",
        is_folded=True,
    ),
    _own("authorization", ("bearer",), r"bearer\s+((?=[^\s\d]*\d)[\w.~+/=-]{16,})", is_folded=True),
    _own("cookie", ("cookie",), r"""cookie["']?: ?["']?([\w.-]+=[^\s"'\[\]][^\n"']*)""", is_folded=True),
    *_assigned("password"),
    *_assigned("secret"),
    *_COMMANDS,
    _own(
        "token",
        ("token",),
        rf"""{_NOT_IN_A_MARK}(?<![A-Za-z_])token{_ASSIGNS}(?:\\{{0,3}}["'`])?"""
        r"((?=[^\s\d]*\d)[A-Za-z0-9._~+/=-]{8,})",
        is_folded=True,
    ),
    _own("password", ("密码", "口令"), r"(?:密码|口令)[是为][ ]?([!-Z^-~]{4,})"),
    _own("password", ("password is",), r"password is[ \t]+((?=[^\s\d]*\d)[^\s\"',;\[\]]{5,})", is_folded=True),
    _own("password", ("://",), r"""://[^\s:/@"'\[\]]{0,256}:([^\s/?"'\[\]]{1,256})@"""),
    _own("token", ("://",), r"""://((?=[^\s/@\d]*\d)[A-Za-z0-9_-]{20,256})(?::x-oauth-basic)?@"""),
    _own("password hash", ("$",), r"(\$(?:1|2[abxy]?|5|6|7|y|apr1|argon2\w{1,2})\$[\w./$=,+-]{20,})"),
    _own("jwt", ("eyj",), r"(?<![\w-])(eyJ[\w-]{8,}\.[\w-]{8,}(?:\.[\w-]*){0,3})"),
    *_known("aws key", ("akia", "asia", "abia", "acca", "a3t"), AWSKeyDetector.denylist[:1]),
    *_known("azure key", ("accountkey",), AzureStorageKeyDetector.denylist),
    *_known("github token", ("ghp_", "gho_", "ghu_", "ghs_", "ghr_"), GitHubTokenDetector.denylist),
    *_known("gitlab token", ("gl", "gr1348941"), GitLabTokenDetector.denylist),
    *_known("mailchimp key", ("-us",), MailchimpDetector.denylist),
    *_known("pypi token", ("pypi-",), PypiTokenDetector.denylist),
    *_known("sendgrid key", ("sg.",), SendGridDetector.denylist),
    *_known("slack token", ("xox", "hooks.slack.com"), SlackDetector.denylist),
    *_known("square token", ("sq0csp",), SquareOAuthDetector.denylist),
    *_known("stripe key", ("k_live_",), StripeDetector.denylist),
    *_known("telegram token", (":",), TelegramBotTokenDetector.denylist),
    *_known("twilio key", ("ac", "sk"), TwilioKeyDetector.denylist),
    _own("github token", ("github_pat_",), r"(github_pat_\w{22,})"),
    _own("slack token", ("xapp-", "xoxe"), r"((?:xapp|xoxe(?:\.xox[bp])?)-[\w-]{10,})"),
    _own("stripe key", ("k_test_", "whsec_"), r"((?:[rs]k_test_|whsec_)[0-9A-Za-z]{16,})"),
    _own("api key", ("sk-",), r"(?<![A-Za-z0-9_-])(sk-(?=[A-Za-z_-]*\d)[\w-]{20,})"),
    _own("google key", ("aiza",), r"(AIza[\w-]{35})"),
    _own("google token", ("ya29.", "gocspx-"), r"((?:ya29\.|GOCSPX-)[\w-]{20,})"),
    _own("hugging face token", ("hf_",), r"(?<!\w)(hf_[A-Za-z0-9]{30,})"),
    _own("npm token", ("npm_",), r"(?<!\w)(npm_[A-Za-z0-9]{36,})"),
    _own("shopify token", ("shp",), r"(?<!\w)(shp(?:at|ca|pa|ss)_[0-9a-fA-F]{32})"),
    _own("digitalocean token", ("do",), r"(?<!\w)(do[por]_v1_[0-9a-f]{64})"),
    _own("alibaba key", ("ltai",), r"(?<!\w)(LTAI[A-Za-z0-9]{12,24})(?!\w)"),
]
"""In order: what takes a whole value goes before what knows only a token's own form."""
_HINTS = sorted({hint for rule in _RULES for hint in rule.hints})
