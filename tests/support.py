"""Where the worked cases and the corpus lie, and how a test asks for them."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parent.parent
CASES = Path(os.environ.get("MSCE_CASES", ROOT.parent / "shared" / "cases"))
CORPUS = Path(os.environ.get("MSCE_CORPUS", ROOT.parent / "shared" / "data"))


def cases(topic: str) -> list[Any]:
    """Return the cases of a topic as parameters (input, expect), with their names as ids."""
    path = CASES / f"{topic}.json"
    if not path.exists():
        missing = _missing(f"the cases {path} (set MSCE_CASES)")
        return [pytest.param(None, None, marks=missing, id=topic)]
    return [
        pytest.param(case["input"], case["expect"], id=case["name"])
        for case in json.loads(path.read_text(encoding="utf-8"))["cases"]
    ]


def corpus(folder: str) -> Path:
    """Return the folder of real logs; fail in CI and skip elsewhere where it is not there."""
    path = CORPUS / folder
    if not path.exists():
        absent = f"the corpus folder {path} is not here: set MSCE_CORPUS"
        if os.environ.get("CI") == "true":
            pytest.fail(absent)
        pytest.skip(absent)
    return path


def _missing(what: str) -> pytest.MarkDecorator:
    if os.environ.get("CI") == "true":
        raise FileNotFoundError(what)
    return pytest.mark.skip(reason=f"{what} are not here")
