"""The page as a real browser takes it."""

from __future__ import annotations

import os
import re
import shutil
import socket
import struct
import subprocess
import zlib
from pathlib import Path

import pytest

from msce_graph.provenance.formats import render
from tests.provenance.samples import HOSTILE, SHOWN, bakery

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
FLAGS = [
    *("--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--disable-sync", "--no-first-run"),
    *("--disable-background-networking", "--disable-component-update", "--hide-scrollbars"),
    *("--virtual-time-budget=2000", "--window-size=1400,900"),
]
pytestmark = pytest.mark.skipif(
    CHROMIUM is None and os.environ.get("CI") != "true", reason="no Chromium is installed here"
)


@pytest.fixture
def browse(tmp_path):
    """Return a function that opens a page in Chromium with more flags, and gives what it prints."""

    def run(page: str, *flags: str) -> str:
        assert CHROMIUM, "Chromium is needed where CI=true"
        file = tmp_path / "page.html"
        file.write_text(page, encoding="utf-8")
        command = [CHROMIUM, *FLAGS, f"--user-data-dir={tmp_path / 'profile'}", *flags, file.as_uri()]
        return subprocess.run(command, capture_output=True, text=True, check=True, timeout=120).stdout

    return run


def test_log_text_that_would_be_a_script_stays_text(browse):
    dom = browse(render(bakery(), "html"), "--dump-dom")

    assert "<title>Bake bread – provenance</title>" in dom
    assert len(re.findall("<script", dom)) == 2
    assert SHOWN.replace("<", "&lt;").replace(">", "&gt;") in dom


def test_the_script_runs_and_describes_the_root(browse):
    dom = browse(render(bakery(), "html"), "--dump-dom")

    details = re.search(r'<section id="details".*?</section>', dom, re.DOTALL)[0]
    assert "<dt>reliability</dt><dd>0.8333</dd>" in details
    assert [card for card in re.findall('<g class="card [^>]*>', dom) if 'tabindex="0"' in card] == [
        _card(dom, "Skill")
    ]


def test_choosing_a_card_tells_its_details_and_dims_what_is_far(browse):
    dom = browse(
        _acted("document.querySelector('.card.Decision').dispatchEvent(new MouseEvent('click'))"), "--dump-dom"
    )

    details = re.search(r'<section id="details".*?</section>', dom, re.DOTALL)[0]
    assert "<dt>reason</dt>" in details
    assert "about <span" in details
    assert "quiet" in _card(dom, "Task")
    assert "quiet" not in _card(dom, "Skill")


def test_a_search_counts_what_it_finds_and_dims_the_rest(browse):
    typed = "const box = document.getElementById('search'); box.value = 'KNEAD'; box.dispatchEvent(new Event('input'))"

    dom = browse(_acted(typed), "--dump-dom")

    assert "1 of 14 found" in dom
    assert "quiet" not in _card(dom, "Policy")
    assert "quiet" in _card(dom, "Skill")


def test_nothing_is_asked_of_the_network(browse):
    with socket.create_server(("127.0.0.1", 0)) as listener:
        listener.setblocking(False)
        url = f"http://127.0.0.1:{listener.getsockname()[1]}/"
        text = f'<img src="{url}"><link rel=stylesheet href="{url}"><script src="{url}"></script><iframe src="{url}">'

        browse(render(bakery(text=text), "html"), "--dump-dom")

        with pytest.raises(BlockingIOError):
            listener.accept()


def test_the_policy_stops_what_would_be_loaded_even_if_markup_got_in(browse):
    with socket.create_server(("127.0.0.1", 0)) as listener:
        listener.setblocking(False)
        url = f"http://127.0.0.1:{listener.getsockname()[1]}/"
        markup = f'<img src="{url}"><script>document.title = "owned"</script>'
        page = render(bakery(), "html").replace("<main>", f"<main>{markup}")

        dom = browse(page, "--dump-dom")

        assert "<title>owned</title>" not in dom
        with pytest.raises(BlockingIOError):
            listener.accept()


def test_light_and_dark_differ_and_neither_is_blank(browse, tmp_path):
    corners = {}
    for name, scheme in (("light", 1), ("dark", 0)):
        file = tmp_path / f"{name}.png"
        browse(render(bakery(), "html"), f"--blink-settings=preferredColorScheme={scheme}", f"--screenshot={file}")
        corners[name] = _corner(file)
        assert file.stat().st_size > 8 * _BLANK

    assert corners == {"light": "ffffff", "dark": "1a212c"}


def test_the_picture_alone_is_drawn_too(browse, tmp_path):
    file, picture = tmp_path / "picture.png", tmp_path / "picture.svg"
    picture.write_text(render(bakery(text=HOSTILE), "svg"), encoding="utf-8")

    browse(f'<!doctype html><img src="{picture.name}">', f"--screenshot={file}")

    assert file.stat().st_size > 8 * _BLANK


_BLANK = 6_000
"""Bytes of a screenshot of an empty page of this size."""


def _acted(script: str) -> str:
    """Return a page without its policy, so that a script can stand in for a person's hand."""
    page = re.sub("<meta http-equiv[^>]*>", "", render(bakery(), "html"))
    return page.replace("</body>", f"<script>{script}</script></body>")


def _card(dom: str, label: str) -> str:
    return re.search(rf'<g class="card {label}[^>]*>', dom)[0]


def _corner(file: Path) -> str:
    """Return the colour of the upper left pixel of a PNG, which its row filters leave as it is."""
    content, place, packed = file.read_bytes(), 8, b""
    while place < len(content):
        length, kind = struct.unpack(">I4s", content[place : place + 8])
        packed += content[place + 8 : place + 8 + length] if kind == b"IDAT" else b""
        place += 12 + length
    return zlib.decompress(packed)[1:4].hex()
