from __future__ import annotations

import json
import time

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from msce_graph.learning import redaction
from msce_graph.learning.redaction import redact, redact_value
from tests.support import cases

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=12,
)
# Words that rules look for, glued in any order, find what random text never would.
PIECES = st.lists(
    st.sampled_from(
        [
            "password", "secret", "api_key", "token", "密码", "Authorization", "Bearer ", "Basic ", "cookie", "mysql ",
            " -p", "curl ", " -u ", "https://", "@", ":", "=", ": ", " = ", "：", '"', "'", '\\"', "\\", "[redacted ",
            "[redacted password]", "]", ",", " ", "\n", "(", "{", "}", "--password ", "hunter2", "ann", "$1$", "eyJ",
            "AKIAIOSFODNN7EXAMPLE", "-----BEGIN PRIVATE KEY-----", "-----END PRIVATE KEY-----", "<", ">", "/",
            "0123456789abcdefABCDEF0123456789abcdef01", "sk-", "ghp_", "identified by ", "is ",
        ]
    ),
    max_size=14,
).map("".join)  # fmt: skip


@pytest.mark.parametrize(("given_text", "expect"), cases("redaction"))
def test_a_case_keeps_and_loses_what_it_says(given_text, expect):
    text = given_text["text"]

    redacted = redact(text)

    assert all(secret not in redacted for secret in expect.get("absent", []))
    assert all(kept in redacted for kept in expect.get("present", []))
    assert redacted == text or not expect.get("unchanged")


@given(PIECES | st.text())
@example('password="ab[redacted jwt]cd"')
@example("password=eyJhbGciOiJub25lIn0.eyJhIjoxMjM0NTY3fQ.x")
def test_redacting_twice_is_redacting_once(text):
    redacted = redact(text)

    assert redact(redacted) == redacted


@given(PIECES | st.text())
@example("mysql -u ann -phunter2")
@example("AccountKey=" + "lJzRc1YdHaAA2KCNJJ1tkYwF/+mKK6Ygw0NGe170Xu592euJv2wYUtBlV8z+qnlcNQSnIYVTkLWntUO1F8j8rQ==")
def test_no_word_that_a_text_lacks_hides_what_a_rule_would_find(text):
    every = text
    for rule in redaction._RULES:
        every = redaction._apply(rule, every, redaction._lowered(every))

    assert redaction._redact_once(text) == every


@given(JSON)
def test_a_value_redacted_twice_is_redacted_once(value):
    redacted = redact_value(value)

    assert redact_value(redacted) == redacted


@given(JSON)
def test_redaction_drops_no_field_and_no_element(value):
    def shape(part):
        if isinstance(part, dict):
            return [shape(inner) for inner in part.values()]
        return [shape(inner) for inner in part] if isinstance(part, list) else None

    assert shape(redact_value(value)) == shape(value)


@pytest.mark.parametrize(
    ("text", "redacted"),
    [
        ("export TOKEN=q7Hs82kdPz", "export TOKEN=[redacted token]"),
        ("db_password = 'hun,ter two'  # local", "db_password = '[redacted password]'  # local"),
        ('{"body": "{\\"password\\": \\"hunter2\\", \\"user\\": \\"bo\\"}"}',
         '{"body": "{\\"password\\": \\"[redacted password]\\", \\"user\\": \\"bo\\"}"}'),
        ("connect(password=hunter2, port=3)", "connect(password=[redacted password], port=3)"),
        ("<password>hunter2</password><port>3</port>", "<password>[redacted password]</password><port>3</port>"),
        ("tool --api-key q7Hs82kd --depth 2", "tool --api-key [redacted secret] --depth 2"),
        ("CREATE USER bo IDENTIFIED BY 'hunter2';", "CREATE USER bo IDENTIFIED BY '[redacted password]';"),
        ("echo hunter2 | sudo -S ls", "echo [redacted password] | sudo -S ls"),
        ("sshpass -p hunter2 ssh bo@host", "sshpass -p [redacted password] ssh bo@host"),
        ("bo:$6$saltsalt$0123456789abcdefghij:19000:0", "bo:[redacted password hash]:19000:0"),
        ("Cookie: sid=q7Hs82kd; theme=dark\nAccept: */*", "Cookie: [redacted cookie]\nAccept: */*"),
        ("我的密码是 hunter2，谢谢", "我的密码是 [redacted password]，谢谢"),
    ],
)  # fmt: skip
def test_only_the_secret_goes(text, redacted):
    assert redact(text) == redacted


@pytest.mark.parametrize(
    "text",
    [
        "password = getpass.getpass()",
        "def login(self, user, password=None):",
        "self.password = password",
        'os.environ["DB_PASSWORD"]',
        "login(password=$DB_PASSWORD, token=${TOKEN})",
        'api_key: "<your key>"',
        "Password: must be changed every year",
        "next_page_token: 17, tokens=4096, monkey: banana12",
        "mysql -u root -p shop",
        "docker run -u 1000:1000 web",
        "PWD=$HOME key=value",
        "http://localhost:8080/?mail=bo@example.com",
        "scikit-learn task-scheduler-for-2024-and-beyond",
    ],
)
def test_what_only_looks_like_a_secret_stays(text):
    assert redact(text) == text


@pytest.mark.parametrize(
    ("value", "redacted"),
    [
        ({"apiKey": "abc", "n": 1}, {"apiKey": "[redacted secret]", "n": 1}),
        ({"password": 1234, "token": 7}, {"password": "[redacted password]", "token": 7}),
        ({"passwords": ["a1", "b2"]}, {"passwords": ["[redacted password]", "[redacted password]"]}),
        ({"password": {"type": "string"}}, {"password": {"type": "string"}}),
        ({"password": None, "secret": ""}, {"password": None, "secret": ""}),
        ({"name": "DB_PASSWORD", "value": "ab cd"}, {"name": "DB_PASSWORD", "value": "[redacted password]"}),
        (["in", "--password", "ab cd", "--user", "bo"], ["in", "--password", "[redacted password]", "--user", "bo"]),
        ([{"deep": ["AKIAIOSFODNN7EXAMPLE"]}], [{"deep": ["[redacted aws key]"]}]),
        ({"AKIAIOSFODNN7EXAMPLE": 1, "AKIAIOSFODNN8EXAMPLE": 2}, {"[redacted aws key]": 1, "[redacted aws key] 2": 2}),
    ],
)  # fmt: skip
def test_the_name_of_a_field_tells_its_secret(value, redacted):
    assert redact_value(value) == redacted


def test_a_value_as_deep_as_records_allow_is_redacted():
    value = "AKIAIOSFODNN7EXAMPLE"
    for _ in range(255):
        value = [value]

    assert "AKIA" not in json.dumps(redact_value(value))


@pytest.mark.parametrize(
    "hostile",
    ["-----BEGIN PRIVATE KEY-----", "password=", "a_", "mysql ", "://a:", 'password="\\"', "curl -u a", "A", "eyJ"],
)
def test_a_hostile_text_is_redacted_in_time_that_grows_with_its_length(hostile):
    started = time.perf_counter()
    redact(hostile * (200_000 // len(hostile)))

    assert time.perf_counter() - started < 5
