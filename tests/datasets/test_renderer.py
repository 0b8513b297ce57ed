"""Finding or setting up a Python that renders, and what is said where there is none."""

import json
import shutil
import stat

import pytest

from demix.datasets import renderer
from demix.datasets.common.conversion import NotAvailableError
from demix.datasets.renderer import LIBRARIES, REQUIREMENTS, VARIABLE, renderer_python
from demix.obtain_data import provide
from demix.specs.datasets.renderer import RendererSpec


def program(path, text):
    """An executable shell script."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return path


def card_of(folder, attempt=1):
    """The card after the step that finds an environment or sets it up."""
    provide(RendererSpec(), folder, "key", attempt)
    return json.loads((folder / "card.json").read_text())


VERSIONS = '{"blender": "4.5.15", "numpy": "1.26.4", "pillow": "13.0.0", "pyarrow": "24.0.0"}'


@pytest.fixture
def checkout(tmp_path, monkeypatch):
    """A checkout of its own, without a named interpreter."""
    monkeypatch.delenv(VARIABLE, raising=False)
    monkeypatch.setattr(renderer, "CHECKOUT", tmp_path)
    return tmp_path


def test_a_named_interpreter_is_asked_what_it_has(tmp_path, monkeypatch):
    python = program(tmp_path / "python", f"echo noise; echo '{VERSIONS}'")
    monkeypatch.setenv(VARIABLE, str(python))
    card = card_of(tmp_path / "renderer")
    assert card["available"]
    assert card["statistics"] == {"python": str(python), **json.loads(VERSIONS)}


def test_a_missing_library_is_named_with_the_packages_that_have_it(tmp_path, monkeypatch):
    missing = "ImportError: libXi.so.6: cannot open shared object file: No such file or directory"
    monkeypatch.setenv(VARIABLE, str(program(tmp_path / "python", f"echo '{missing}' >&2; exit 1")))
    card = card_of(tmp_path / "renderer", attempt=3)
    assert (card["available"], card["attempt"]) == (False, 3)
    assert "libXi.so.6" in card["reason"]
    assert LIBRARIES in card["remedy"]


def test_an_environment_is_made_once_and_anew_when_its_pins_change(checkout, monkeypatch):
    calls = []
    made = program(checkout / "made", f"echo '{VERSIONS}'")

    def set_up(home):
        calls.append(home)
        shutil.copytree(made.parent, home / "bin", ignore=lambda folder, names: set(names) - {"made"})
        (home / "bin" / "made").rename(home / "bin" / "python")
        (home / ".ready").write_text(REQUIREMENTS.read_text())

    monkeypatch.setattr(renderer, "_set_up", set_up)
    for _ in range(2):
        python, _ = renderer_python(checkout / "data")
    assert (python, calls) == (checkout / ".venv-render/bin/python", [checkout / ".venv-render"])
    (checkout / ".venv-render/.ready").write_text("bpy==4.2.0\n")
    shutil.rmtree(checkout / ".venv-render/bin")
    renderer_python(checkout / "data")
    assert len(calls) == 2


def test_without_python_3_11_the_remedy_says_where_it_is_to_be_had(checkout, monkeypatch):
    monkeypatch.setattr(renderer, "PYTHON", (3, 9))
    monkeypatch.setenv("PATH", str(checkout))
    with pytest.raises(NotAvailableError, match=r"Python 3\.11, .* is not on the PATH; .*uv python install 3\.11"):
        renderer_python(checkout / "data")
    assert not (checkout / ".venv-render").exists()


def test_an_installation_that_fails_says_with_what(checkout, monkeypatch):
    failing = program(checkout / "python3.11", 'echo "ERROR: No matching distribution found for bpy" >&2; exit 1')
    monkeypatch.setattr(renderer, "_python_311", lambda: str(failing))
    with pytest.raises(NotAvailableError, match="failed: ERROR: No matching distribution found for bpy"):
        renderer_python(checkout / "data")


def test_both_files_of_the_environment_have_the_same_pins():
    pins = [line for line in REQUIREMENTS.read_text().splitlines() if line and not line.startswith("#")]
    conda = REQUIREMENTS.with_suffix(".yaml").read_text()
    assert [line.strip(" -") for line in conda.splitlines() if "==" in line and "python ==" not in line] == pins
    from demix_render.scene import BLENDER

    assert f"bpy=={BLENDER}" in pins
