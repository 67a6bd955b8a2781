"""What people install: the wheel carries all that the package reads, and works far from its sources."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import tomllib
from collections.abc import Iterator
from email.message import Message
from email.parser import Parser
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path
from zipfile import ZipFile

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests.pipeline.workbench import kitchen, log
from tests.support import ROOT

SHIPPED = ("msce_graph", "cypher", "cli", "pyproject.toml", "README.md", "LICENSE")
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
WHERE = re.compile(r"MSCE_|NEO4J_|PYTHON")
"""Variables that could lead an installed command to another store or back to the sources."""
PERMISSIVE = re.compile(r"\b(MIT|BSD|0BSD|Apache|PSF|Python-2\.0|Zlib|CC0|ISC)\b", re.IGNORECASE)
COPYLEFT = re.compile(r"GPL|MPL|Mozilla|EUPL|EPL|CDDL|GNU|copyleft", re.IGNORECASE)
COPYLEFT_BY_FILE = {
    "certifi": "MPL-2.0; the certificates that requests, of detect-secrets, trusts; unchanged",
    "hypothesis": "MPL-2.0; tests only",
    "pathspec": "MPL-2.0; of mypy, development only",
}
"""What asks for more than a notice, and only of those who change its own files."""


@pytest.fixture(scope="module")
def wheel(tmp_path_factory) -> Path:
    """The wheel built from the source distribution, built in turn from nothing but the shipped files."""
    folder = tmp_path_factory.mktemp("sources")
    for name in SHIPPED:
        here, there = ROOT / name, folder / name
        if here.is_dir():
            shutil.copytree(here, there, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(here, there)
    built = folder / "dist"
    ran([sys.executable, "-m", "build", "--outdir", built, folder])
    [wheel] = built.glob("*.whl")
    return wheel


@pytest.fixture(scope="module")
def msce(wheel, tmp_path_factory) -> Path:
    """The command of a fresh environment in which msce_graph is the wheel, and its dependencies are those of here."""
    folder = tmp_path_factory.mktemp("fresh") / "venv"
    ran([sys.executable, "-m", "venv", folder])
    python = folder / "bin" / "python"
    site = ran([python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"]).strip()
    # a path in a .pth file is searched last, and .pth files in it, such as that of an editable install, are not read
    Path(site, "dependencies.pth").write_text(f"{sysconfig.get_path('purelib')}\n", encoding="utf-8")
    pip = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    ran([*pip, "--no-deps", "--ignore-installed", "-c", ROOT / "constraints.txt", wheel])
    return folder / "bin" / "msce"


@pytest.fixture(scope="module")
def ingested(msce, tmp_path_factory) -> Iterator[tuple[Path, str]]:
    """A folder far from the sources with a store that the installed command made, and what the command printed."""
    folder = tmp_path_factory.mktemp("elsewhere")
    log(folder, kitchen(3))
    try:
        yield folder, ran([msce, "ingest", "kitchen.jsonl", "--json"], cwd=folder)
    finally:
        ran([msce, "stop"], cwd=folder)


def ran(command: list[str | Path], **options) -> str:
    """Run a command that must succeed, away from the sources, and return its output."""
    environment = {name: value for name, value in os.environ.items() if not WHERE.match(name)}
    done = subprocess.run(command, capture_output=True, text=True, env=environment, check=False, **options)
    assert done.returncode == 0, f"{command}\n{done.stdout}\n{done.stderr}"
    return done.stdout


def files_of(folder: str) -> set[str]:
    """Return what a package's folder holds, as paths below it."""
    root = ROOT / folder
    found = (path for path in root.rglob("*") if path.is_file() and "__pycache__" not in path.parts)
    return {path.relative_to(root).as_posix() for path in found}


def metadata_of(wheel: Path) -> Message:
    with ZipFile(wheel) as packed:
        [name] = [name for name in packed.namelist() if name.endswith(".dist-info/METADATA")]
        return Parser().parsestr(packed.read(name).decode())


# The wheel ----------------------------------------------------------------------------------------------------------


def test_the_wheel_carries_every_file_of_its_packages_and_nothing_else(wheel):
    expected = {f"msce_graph/{name}" for name in files_of("msce_graph")}
    expected |= {f"msce_graph/cypher/{name}" for name in files_of("cypher")}
    expected |= {f"msce_graph/cli/{name}" for name in files_of("cli")}

    with ZipFile(wheel) as packed:
        found = {name for name in packed.namelist() if ".dist-info/" not in name}

    assert found == expected
    suffixes = {Path(name).suffix or Path(name).name for name in found}
    assert {".py", ".cypher", ".html", ".css", ".js", ".typed"} == suffixes


def test_the_wheel_says_its_licence_and_brings_its_text(wheel):
    told = metadata_of(wheel)

    assert told["License-Expression"] == "Apache-2.0"
    with ZipFile(wheel) as packed:
        [text] = [name for name in packed.namelist() if name.endswith(".dist-info/licenses/LICENSE")]
        assert "Apache License" in packed.read(text).decode()


def test_the_wheel_says_which_python_it_needs_and_shows_the_readme(wheel):
    told = metadata_of(wheel)

    assert told["Requires-Python"] == ">=3.11"
    assert told.get_payload().strip() == (ROOT / "README.md").read_text(encoding="utf-8").strip()


def test_the_installed_command_ingests_from_another_folder(msce, ingested):
    folder, printed = ingested

    counted = json.loads(ran([msce, "stats", "--json"], cwd=folder))

    assert [json.loads(line)["key"] for line in printed.splitlines()] == [f"default/e{number}" for number in range(3)]
    assert counted["nodes"]["Evidence"] == 9


def test_the_installed_command_draws_a_page(msce, ingested):
    folder, _ = ingested

    page = ran([msce, "provenance", "e1", "--format", "html"], cwd=folder)

    assert page.lstrip().lower().startswith("<!doctype html>")
    assert all(part in page for part in ("<style", "<script", "make dish 1"))


def test_the_installed_package_is_the_wheel_with_all_its_parts(msce, tmp_path):
    program = (
        "import msce_graph, msce_graph.cli, msce_graph.cypher\n"
        "print(msce_graph.__file__, msce_graph.cli.__file__, msce_graph.cypher.__file__, sep='\\n')"
    )

    files = ran([msce.parent / "python", "-c", program], cwd=tmp_path).splitlines()

    assert len(files) == 3
    assert all(Path(file).is_relative_to(msce.parent.parent) for file in files)


# What it depends on -------------------------------------------------------------------------------------------------


def test_constraints_pin_exact_versions_and_name_no_address():
    lines = (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()

    assert lines
    assert [line for line in lines if not re.fullmatch(r"[A-Za-z0-9._-]+==[0-9][A-Za-z0-9.]*", line)] == []
    names = [canonicalize_name(line.partition("==")[0]) for line in lines]
    assert len(names) == len(set(names))


def test_constraints_pin_whatever_is_installed_and_fit_what_is_asked_for():
    pins = dict(line.split("==") for line in (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines())
    pinned = {canonicalize_name(name): version for name, version in pins.items()}
    asked = [*PROJECT["dependencies"], *PROJECT["optional-dependencies"]["dev"]]

    assert sorted(set(dependencies("dev")) - pinned.keys()) == []
    unfit = [
        text
        for text in asked
        for requirement in [Requirement(text)]
        if not requirement.specifier.contains(pinned[canonicalize_name(requirement.name)])
    ]
    assert unfit == []


def test_every_dependency_is_permissive_or_told_as_an_exception():
    licences = {name: licence(found) for name, found in dependencies("dev").items()}

    assert {name: text for name, text in licences.items() if not text} == {}
    copyleft = {name for name, text in licences.items() if COPYLEFT.search(text)}
    assert copyleft <= COPYLEFT_BY_FILE.keys(), {name: licences[name] for name in copyleft}
    unknown = {name: text for name, text in licences.items() if name not in copyleft and not PERMISSIVE.search(text)}
    assert unknown == {}


def dependencies(extra: str) -> dict[str, Distribution]:
    """Return what the package and one of its extras bring, by name, as far as it is installed."""
    found: dict[str, Distribution] = {}
    waiting = [Requirement(f"{PROJECT['name']}[{extra}]")]
    seen: set[str] = set()
    while waiting:
        requirement = waiting.pop()
        name = canonicalize_name(requirement.name)
        if f"{name}{sorted(requirement.extras)}" in seen:
            continue
        seen.add(f"{name}{sorted(requirement.extras)}")
        try:
            found[name] = distribution(name)
        except PackageNotFoundError:  # an extra of a dependency that is not here, or not for this system
            continue
        waiting += required(found[name], requirement.extras)
    del found[canonicalize_name(PROJECT["name"])]
    return found


def required(found: Distribution, extras: set[str]) -> Iterator[Requirement]:
    for requirement in map(Requirement, found.requires or ()):
        marker = requirement.marker
        if marker is None or any(marker.evaluate({"extra": extra}) for extra in (*sorted(extras), "")):
            yield requirement


def licence(found: Distribution) -> str:
    """Return what a distribution says of its licence: an expression, else classifiers, else the first line of words."""
    told = found.metadata
    classifiers = [text.removeprefix("License :: ") for text in told.get_all("Classifier", []) if "License ::" in text]
    words = (told["License"] or "").partition("\n")[0]
    return told["License-Expression"] or "; ".join(classifiers) or words
