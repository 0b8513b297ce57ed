"""Find or set up the environment that renders, apart from that of demix: Blender needs Python 3.11 and numpy 1."""

import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from demix.datasets.common.conversion import Conversion, Inputs, NotAvailableError
from demix.support.checkout import CHECKOUT
from demix.support.locks import take_lock

VARIABLE = "DEMIX_RENDER_PYTHON"
REQUIREMENTS = CHECKOUT / "envs" / "render.txt"
FOLDER = ".venv-render"
READY = ".ready"
PAUSE_SECONDS = 0.5
PYTHON = (3, 11)

CHECK = """
import json, sys
import bpy, numpy, PIL, pyarrow.parquet
print(json.dumps({"blender": ".".join(map(str, bpy.app.version)), "numpy": numpy.__version__,
                  "pillow": PIL.__version__, "pyarrow": pyarrow.__version__}))
"""

LIBRARIES = (
    "libx11-6 libxext6 libxfixes3 libxi6 libxrender1 libxkbcommon0 libsm6 libice6 libgl1"  # of Debian and Ubuntu
)


class Renderer:
    """The environment to render in, as data: its card says which Python that is."""

    def convert(self, inputs: Inputs) -> Conversion:
        """Find the environment or set it up. There are no images in it.

        Raises:
            NotAvailableError: there is none.
        """
        python, versions = renderer_python(inputs.folder)
        return Conversion({}, facts={"python": str(python), **versions}, files=[REQUIREMENTS])


def renderer_python(out: Path) -> tuple[Path, dict[str, str]]:
    """An interpreter that can render, and the versions of what it has.

    Args:
        out: where the environment goes if the checkout cannot be written.

    Raises:
        NotAvailableError: there is none.
    """
    named = os.environ.get(VARIABLE)
    if named:
        python = Path(named).expanduser().absolute()
        return python, _checked(python, f"see to {VARIABLE}={named}, or unset it to have an environment made")
    home = _home(out)
    python = home / "bin" / "python"
    remedy = f"see to it, or delete {home}, and give the same command again"
    with _alone(home):
        if not (home / READY).exists() or (home / READY).read_text() != REQUIREMENTS.read_text():
            _set_up(home)
        versions = _checked(python, remedy)
    return python, versions


def _home(out: Path) -> Path:
    """Folder of the environment: in the checkout, or with the data if that cannot be written."""
    writable = os.access(CHECKOUT, os.W_OK) or (CHECKOUT / FOLDER / READY).exists()
    return (CHECKOUT if writable else out.absolute()) / FOLDER


@contextmanager
def _alone(home: Path) -> Iterator[None]:
    """One process at a time sets an environment up; a folder that cannot be written is used as it is."""
    home.parent.mkdir(parents=True, exist_ok=True)
    if not os.access(home.parent, os.W_OK):
        yield
        return
    while (lock := take_lock(home.parent / f"{home.name}.lock")) is None:
        time.sleep(PAUSE_SECONDS)
    try:
        yield
    finally:
        lock.release()


def _set_up(home: Path) -> None:
    """Make the environment anew.

    Raises:
        NotAvailableError: Python 3.11 or a package cannot be had.
    """
    python = _python_311()
    print(f"setting up {home} with {python}; about 1 GB", file=sys.stderr, flush=True)
    shutil.rmtree(home, ignore_errors=True)
    install = [str(home / "bin" / "python"), "-m", "pip", "install", "--disable-pip-version-check", "--quiet"]
    for command in ([python, "-m", "venv", str(home)], [*install, "-r", str(REQUIREMENTS)]):
        result = _run(command)
        if result.returncode:
            reason = f"{' '.join(command[:4])} ... failed: {_last_line(result)}"
            raise NotAvailableError(reason, f"see to it and give the same command again, or set {VARIABLE}")
    (home / READY).write_text(REQUIREMENTS.read_text())


def _python_311() -> str:
    """An interpreter of exactly the version that Blender wants.

    Raises:
        NotAvailableError: there is none.
    """
    if sys.version_info[:2] == PYTHON:
        return sys.executable
    for name in filter(None, (shutil.which("python3.11"), _of_uv())):
        found = _run([name, "-c", "import sys, ensurepip, venv; print(*sys.version_info[:2])"])
        if found.returncode == 0 and found.stdout.split() == ["3", "11"]:
            return name
    raise NotAvailableError(
        "Python 3.11, the only one that Blender's package is made for, is not on the PATH",
        f"install it (apt install python3.11-venv, uv python install 3.11, or conda env create -f envs/render.yaml and "
        f"{VARIABLE}=<its python>) and give the same command again",
    )


def _of_uv() -> str | None:
    """The interpreter that uv has, if there is uv and it has one."""
    if not shutil.which("uv"):
        return None
    found = _run(["uv", "python", "find", "3.11"])
    return found.stdout.strip() if found.returncode == 0 else None


def _checked(python: Path, remedy: str) -> dict[str, str]:
    """Versions of what an interpreter imports.

    Raises:
        NotAvailableError: it is not there, or something cannot be imported.
    """
    try:
        result = _run([str(python), "-c", CHECK])
    except OSError as error:
        raise NotAvailableError(f"{python} cannot be run ({error.strerror})", remedy) from None
    if result.returncode:
        library = "cannot open shared object file" in result.stderr
        raise NotAvailableError(
            f"{python} cannot import Blender: {_last_line(result)}",
            f"install the system's libraries (Debian, Ubuntu: apt install {LIBRARIES})" if library else remedy,
        )
    return json.loads(result.stdout.splitlines()[-1])


def _run(command: list[str]) -> subprocess.CompletedProcess:
    clean = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    return subprocess.run(command, capture_output=True, text=True, env=clean)


def _last_line(result: subprocess.CompletedProcess) -> str:
    return next(reversed(result.stderr.strip().splitlines()), f"exit status {result.returncode}")
