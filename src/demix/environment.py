"""The environment that the workflow's commands run in."""

import os
import sys


def put_this_python_first() -> None:
    """Make `python` in shell commands the one that runs now, whether or not its environment is activated."""
    os.environ["PATH"] = os.pathsep.join([os.path.dirname(sys.executable), os.environ.get("PATH", "")])
