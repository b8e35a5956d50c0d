"""Product, weights and laboratory are three distributions: what each holds, and what is said where one is missing or does not fit."""

from __future__ import annotations

import importlib.metadata
import importlib.util
import os
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from click.testing import CliRunner

from twicetold.cli import main
from twicetold.models import WEIGHTS

ROOT = Path(__file__).parent.parent
MODELS = ROOT / "src" / "twicetold" / "models"
FOLDERS = sorted(path.name for path in MODELS.iterdir() if path.is_dir() and path.name != "__pycache__")
LABORATORY_ALONE = {"hops"}
SHARED = ("NOTICE", "VERSION", "tokenizer.json")
READ = f"the {WEIGHTS} that this version reads"


def read(path: Path) -> dict:
    return tomllib.loads(path.read_text(encoding="utf-8"))


# --- weights -------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def installed(tmp_path_factory) -> Path:
    """The product as its wheel holds it, without weights."""
    place = tmp_path_factory.mktemp("installed")

    def left_out(folder: str, names: list[str]) -> set[str]:
        return {"__pycache__"} | ({"VERSION", *FOLDERS} if Path(folder) == MODELS else set())

    shutil.copytree(ROOT / "src" / "twicetold", place / "twicetold", ignore=left_out)
    return place


def typed(place: Path, models: Path | None, *arguments: str) -> subprocess.CompletedProcess:
    paths = [str(place), *([str(models)] if models else [])]
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(paths)}
    return subprocess.run([sys.executable, "-m", "twicetold.cli", *arguments], capture_output=True, text=True, env=env, cwd=place)


def package(folder: Path, version: str | None) -> Path:
    (folder / "twicetold_models").mkdir(parents=True)
    (folder / "twicetold_models" / "__init__.py").touch()
    if version is not None:
        (folder / "twicetold_models" / "VERSION").write_text(f"{version}\n")
    for name in ("encoder", "hybrid", "static", "tokenizer.json"):
        (folder / "twicetold_models" / name).symlink_to(MODELS / name)
    return folder


def ingested(place: Path, models: Path | None, tmp_path: Path) -> tuple[int, str]:
    """The exit code of reading the demo, and what was said."""
    run = typed(place, models, "--data", str(tmp_path / "data"), "ingest", str(ROOT / "src" / "twicetold" / "demo" / "checks"))
    return run.returncode, run.stderr.strip()


def without_models() -> bool:
    return importlib.util.find_spec("twicetold_models") is None


@pytest.mark.skipif(not without_models(), reason="twicetold-models is installed here")
def test_without_weights_the_user_is_told_what_to_install(installed, tmp_path):
    code, said = ingested(installed, None, tmp_path)
    assert code == 4
    assert said == (
        "twicetold: a shipped model needs the package twicetold-models: pip install twicetold-models"
        " (in a clone: .venv/bin/pip install ./models)"
    )


@pytest.mark.parametrize(
    ("version", "expected"),
    [
        (
            "0.0.9",
            f"version 0.0.9, older than {READ}; pip install --upgrade 'twicetold-models=={WEIGHTS}.*'",
        ),
        ("9.1.0", f"version 9.1.0, newer than {READ}; pip install --upgrade twicetold"),
        ("no number", "damaged: they do not say their version; pip install --force-reinstall twicetold-models"),
        (None, "damaged: they do not say their version; pip install --force-reinstall twicetold-models"),
    ],
)
def test_weights_of_another_release_are_named_with_what_to_type(installed, tmp_path, version, expected):
    code, said = ingested(installed, package(tmp_path / "site", version), tmp_path)
    assert (code, said.partition(" are ")[2]) == (3, expected)


def test_damaged_weights_are_named_with_what_to_type(installed, tmp_path):
    models = package(tmp_path / "site", f"{WEIGHTS}.7")
    (models / "twicetold_models" / "encoder").unlink()
    shutil.copytree(MODELS / "encoder", models / "twicetold_models" / "encoder")
    with (models / "twicetold_models" / "encoder" / "model.onnx").open("r+b") as file:
        file.write(b"broken")
    code, said = ingested(installed, models, tmp_path)
    assert code == 3
    assert "model.onnx is damaged" in said
    assert said.endswith("restore it, or type: pip install --force-reinstall twicetold-models")


def test_installed_weights_of_the_same_release_are_read(installed, tmp_path):
    code, said = ingested(installed, package(tmp_path / "site", f"{WEIGHTS}.7"), tmp_path)
    assert code == 0, said


def test_doctor_names_weights_that_do_not_fit(installed, demo_folder, tmp_path):
    run = typed(installed, package(tmp_path / "site", "0.0.1"), "--data", str(demo_folder), "doctor")
    assert "version 0.0.1, older" in run.stdout + run.stderr
    assert "Traceback" not in run.stderr


def test_the_wheel_of_weights_holds_every_model_but_those_of_the_laboratory():
    wheel = read(ROOT / "models" / "pyproject.toml")["tool"]["hatch"]["build"]["targets"]["wheel"]["force-include"]
    expected = {*FOLDERS, *SHARED} - LABORATORY_ALONE
    assert wheel == {f"../src/twicetold/models/{name}": f"twicetold_models/{name}" for name in expected}


def test_the_weights_say_the_release_that_the_product_reads():
    assert (MODELS / "VERSION").read_text().startswith(f"{WEIGHTS}.")


def test_the_wheel_of_the_product_holds_no_weights_and_stays_below_two_megabytes():
    left_out = read(ROOT / "pyproject.toml")["tool"]["hatch"]["build"]["targets"]["wheel"]["exclude"]
    assert set(left_out) == {
        "src/twicetold/models/*/",
        *(f"src/twicetold/models/{name}" for name in ("NOTICE", "VERSION", "tokenizer.json")),
    }
    kept = [path for path in (ROOT / "src" / "twicetold").rglob("*") if path.is_file() and path.suffix not in (".pyc", "")]
    product = [path for path in kept if MODELS not in path.parents or (path.parent == MODELS and path.suffix == ".py")]
    assert sum(path.stat().st_size for path in product) < 3_000_000  # a third of it is saved by compressing


# --- laboratory ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("verb", ["train", "eval", "compare", "tables", "reproduce", "lab"])
@pytest.mark.parametrize("options", [[], ["--help"], ["demo", "--on", "x"]])
def test_without_the_laboratory_its_verbs_say_what_to_install(monkeypatch, verb, options):
    monkeypatch.setattr(importlib.metadata, "entry_points", lambda **_: importlib.metadata.EntryPoints())
    run = CliRunner().invoke(main, [verb, *options])
    assert (run.exit_code, run.stdout) == (4, "")
    advice = "pip install twicetold-lab (in a clone: .venv/bin/pip install ./lab)"
    assert run.stderr == f"twicetold: twicetold {verb} needs the package twicetold-lab: {advice}\n"


def test_without_the_laboratory_help_names_only_what_there_is(monkeypatch):
    monkeypatch.setattr(importlib.metadata, "entry_points", lambda **_: importlib.metadata.EntryPoints())
    named = CliRunner().invoke(main, ["--help"]).stdout
    assert "\n  match " in named
    assert "\n  reproduce " not in named


def test_a_verb_that_no_package_has_is_wrong_usage():
    assert CliRunner().invoke(main, ["unheard-of"]).exit_code == 2


def test_the_laboratory_announces_the_verbs_it_has():
    announced = read(ROOT / "lab" / "pyproject.toml")["project"]["entry-points"]["twicetold.verbs"]
    assert set(announced) == {"train", "eval", "compare", "tables", "reproduce", "lab"}
