import json

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from msce_graph.learning.action import MENTIONS, read_call, read_text
from tests.support import cases, corpus


def read(action):
    if "call" in action:
        return read_call(action["call"]["name"], action["call"]["arguments"])
    return read_text(action["text"], action["language"], action.get("dialect"))


def strings(value):
    if isinstance(value, str):
        return [value]
    values = value.values() if isinstance(value, dict) else value if isinstance(value, list) else []
    return [text for each in values for text in strings(each)]


@pytest.mark.parametrize(("given_action", "expect"), cases("tool"))
def test_an_action_is_named_for_what_it_did(given_action, expect):
    action = read(given_action)

    accepted = expect.get("tool")
    assert action.tool in ([accepted] if isinstance(accepted, str) or accepted is None else accepted)
    assert action.kind == expect["kind"]
    if "arguments" in expect:
        assert action.arguments == expect["arguments"]
    if "tables" in expect:
        assert set(action.arguments["tables"]) == set(expect["tables"])
    if "raw" in expect:
        assert action.arguments == {"text": expect["raw"]}
    assert set(expect.get("mentions", [])) <= set(strings(action.arguments))
    if action.kind == "verb":
        assert set(expect["mentions"]) == set(action.mentions)


@pytest.mark.parametrize(
    ("line", "tool", "arguments"),
    [
        ("git commit -am 'fix the lamp'", "git commit", {"options": ["-a"], "-m": "fix the lamp"}),
        ("git log --format=%h -n 3", "git log", {"--format": "%h", "-n": "3"}),
        ("cp -r a b", "cp", {"options": ["-r"], "source": "a", "destination": "b"}),
        ("cp a b c dir/", "cp", {"operands": ["a", "b", "c", "dir/"]}),
        ("grep -e one -e two log.txt", "grep", {"-e": ["one", "two"], "operands": ["log.txt"]}),
        ("cut -d: -f1 < users > names", "cut", {"-d": ":", "-f": "1", "input": "users", "output": "names"}),
        ("find . -type f -exec rm -v {} \\;", "find", {"-type": "f", "-exec": "rm -v {}", "path": "."}),
        ("sqlite3 shop.db 'SELECT 1' 2>/dev/null", "sqlite3", {"database": "shop.db", "sql": "SELECT 1"}),
        ("tar -czf out.tgz src", "tar", {"options": ["-cz"], "-f": "out.tgz", "operands": ["src"]}),
        ("touch -- -odd", "touch", {"operands": ["-odd"]}),
        ("cat <<< 'one line'", "cat", {"input": "one line"}),
        ("tee -a log <<END\nall\nEND", "tee", {"options": ["-a"], "operands": ["log"], "input": "all\n"}),
    ],
)
def test_a_shell_command_has_its_arguments_by_name(line, tool, arguments):
    action = read_text(line, "shell")

    assert action.tool == f"shell:{tool}"
    assert action.arguments == arguments


@pytest.mark.parametrize(
    ("line", "tool"),
    [
        ("for f in *.c; do echo $f; gcc -c $f; done", "gcc"),
        ('while read f; do du -b "$f"; done < list', "du"),
        ("if [ -f x ]; then cat x; else touch x; fi", "cat"),
        ("if grep -q a f; then echo found; fi", "grep"),
        ("[ -d out ] || mkdir out", "mkdir"),
        ("make test || make retest", "make"),
        ("which jq || echo none", "which"),
        ("cd /srv", "cd"),
        ("cd /srv; echo here", "echo"),
        ("cat a | sort | uniq", "cat"),
        ("cat <<EOF | psql shop\nSELECT 1;\nEOF", "psql"),
        ("cat > a.py <<EOF && python3 a.py\nx\nEOF", "python3"),
        ("A=$(hostname -f)", "hostname"),
        ("bash -lc 'cd /app && ls -l'", "ls"),
        ("sudo -E bash -c 'systemctl stop web'", "systemctl stop"),
        ("nohup nice -n 5 ./run.sh &", "run.sh"),
        ("env | sort", "env"),
        ("! git diff --quiet", "git diff"),
        ("f() { rm x; }; f", "f"),
        ("case $1 in a) git pull;; esac", "git pull"),
        ("{ date; who; } > log", "who"),
    ],
)
def test_the_command_that_decides_names_the_tool(line, tool):
    assert read_text(line, "shell").tool == f"shell:{tool}"


@pytest.mark.parametrize(
    ("statement", "verb", "tables"),
    [
        ("BEGIN; INSERT INTO logs VALUES (1); COMMIT;", "INSERT", ["logs"]),
        ("REPLACE INTO cache VALUES (1, 'a')", "REPLACE", ["cache"]),
        ("(SELECT a FROM t) UNION SELECT b FROM u", "SELECT", ["t", "u"]),
        ("PRAGMA table_info(parcels)", "PRAGMA", ["parcels"]),
        ("SHOW COLUMNS FROM parcels", "SHOW", ["parcels"]),
        ("SELECT * FROM shop.parcels; -- done", "SELECT", ["shop.parcels"]),
        ("WITH o AS (SELECT id FROM t) DELETE FROM u WHERE id IN (SELECT id FROM o)", "DELETE", ["t", "u"]),
    ],
)
def test_a_statement_is_named_for_its_verb_and_tables(statement, verb, tables):
    dialect = "mysql" if verb == "SHOW" else "sqlite"

    action = read_text(statement, "sql", dialect)

    assert action.tool == f"sql:{verb}"
    assert action.arguments["tables"] == tables
    assert action.mentions == tuple(tables)


def test_a_query_shows_its_columns_and_values():
    action = read_text("SELECT name FROM users WHERE age > 30 AND city = 'Oslo'", "sql", "sqlite")

    assert action.arguments == {"tables": ["users"], "columns": ["age", "city", "name"], "values": ["30", "Oslo"]}


@pytest.mark.parametrize("text", ["hello world", "'x'", "", "-- nothing", "SELECT 1; and so on"])
def test_an_expression_alone_is_no_statement(text):
    assert read_text(text, "sql").kind == "text"


@pytest.mark.parametrize(
    ("text", "inner"),
    [
        ("execute[ls /srv", "ls"),
        ("execute[ls [a-c]*]", "ls"),
        ("execute[ls [a-c]*", "ls"),
        ("execute[ls]\nThought: x", "ls"),
    ],
)
def test_an_execute_is_read_whether_it_was_closed_or_not(text, inner):
    action = read_text(text, "shell")

    assert action.tool == f"shell:{inner}"
    assert "]" not in " ".join(strings(action.arguments)).replace("[a-c]", "")


def test_prepositions_name_the_parts_of_a_phrase():
    assert read_text("take apple 1 from countertop 2", "verb").arguments == {
        "object": "apple 1",
        "source": "countertop 2",
    }
    assert read_text("go to shelf 8", "verb").arguments == {"destination": "shelf 8"}
    assert read_text("put mug 2 in/on desk 1", "verb").arguments == {"object": "mug 2", "place": "desk 1"}
    assert read_text("clean pan 1 with sink 1", "verb").arguments == {"object": "pan 1", "instrument": "sink 1"}


def test_without_a_language_a_sentence_is_text_and_a_bracket_form_an_action():
    assert read_text("open the door, please", None).tool is None
    assert read_text("click[Buy now]", None).tool == "click"


def test_arguments_that_are_no_object_are_kept_as_text():
    assert read_call("search", "[1, 2]").arguments == {"text": "[1, 2]"}
    assert read_call("search", "").arguments == {}


def test_a_shell_function_without_a_command_stays_a_function():
    assert read_call("bash", {"restart": True}).tool == "bash"
    assert read_call("shell", {"command": ["bash", "-lc", "git status"]}).tool == "shell:git status"


def test_mentions_are_different_names_and_at_most_twenty():
    files = [f"f{n}.txt" for n in range(40)]

    action = read_text("cat " + " ".join([*files, "f0.txt", "7", "--"]), "shell")

    assert action.mentions == tuple(files[:MENTIONS])


def test_a_step_touches_what_its_other_commands_name_too():
    assert read_text("cat access.log | grep GET | wc -l", "shell").mentions == ("GET", "access.log")


@pytest.mark.parametrize("name", ["QUERY", "Q", "Q51_", "数据.txt", "é{😀..9}"])
def test_a_name_in_any_script_comes_back_as_it_stood(name):
    assert name in str(read_text(f"cat '{name}'", "shell").arguments)


SHELL = "ls,git,find,-m,-exec,sudo,timeout,env,A=1,python,bash,-c,if,then,fi,do,done,for,in,<<E,E,|,&&,||,;"
SQL = "SELECT,FROM,WHERE,WITH,AS,UNION,REPLACE,SHOW,PRAGMA,t,*,=,--"
SIGNS = "execute[ ] ' \" ` \\ $( ( ) { } < > , 字"
pieces = st.sampled_from([*SHELL.split(","), *SQL.split(","), *SIGNS.split(" "), " ", "\n", "\x00", "\ud800"])
texts = st.one_of(st.text(), st.lists(pieces, max_size=14).map("".join), st.lists(pieces, max_size=14).map(" ".join))


@settings(deadline=None)
@given(texts, st.sampled_from([None, "shell", "sql", "verb"]), st.sampled_from([None, "sqlite", "mysql"]))
@example("(" * 3000 + "ls" + ")" * 3000, "shell", None)
@example("\t\u2295\U000ebdc0{\U000fccbf", "shell", None)
@example("SELECT " + "(" * 3000 + "1" + ")" * 3000, "sql", None)
def test_any_text_is_read_or_kept(text, language, dialect):
    action = read_text(text, language, dialect)

    assert action == read_text(text, language, dialect)
    assert len(action.mentions) <= MENTIONS
    if action.tool is None:
        assert (action.kind, action.arguments) == ("text", {"text": text})
    else:
        assert action.kind == language or language is None
        assert not any(character.isspace() for character in action.tool.split(" ")[0])


@settings(deadline=None)
@given(
    st.text(min_size=1),
    st.one_of(st.text(), st.dictionaries(st.text(), st.text() | st.lists(st.text())).map(json.dumps)),
)
def test_any_call_is_named(name, arguments):
    action = read_call(name, arguments)

    assert action.tool is not None or action.kind == "text"


def turns(folder):
    for file in sorted(corpus(folder).rglob("*.json")):
        for run in json.loads(file.read_text(encoding="utf-8")).values():
            yield from run["turn_history"]["actions"]


def test_the_grammar_reads_all_commands_of_real_shell_runs_but_one():
    tools = [read_text(action, "shell").tool for action in turns("intercode_bash")]

    assert len(tools) == 2077
    assert tools.count(None) == 1
    assert tools.count("shell:find") > 500


def test_of_real_sql_runs_only_what_is_no_whole_statement_stays_text():
    actions = [action for action in turns("intercode_sql") if action.strip() != "submit"]

    unread = [action for action in actions if read_text(action, "sql", "mysql").tool is None]

    assert len(actions) > 4000
    assert len(unread) < 0.04 * len(actions)
    assert not any(action.startswith(("execute[DESC ", "execute[SHOW ")) and action.endswith("]") for action in unread)
