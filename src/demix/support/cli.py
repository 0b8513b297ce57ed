"""What the commands share: errors of one line, arguments of one meaning."""

import argparse
import json
import sys
from collections.abc import Callable
from typing import Any

from demix.support.errors import ConfigError, DemixError
from demix.support.importing import add_handed_on


def run(main: Callable[[], None]) -> None:
    """Call a command's main function; an error that the user can mend is printed without a traceback."""
    try:
        add_handed_on()
        main()
    except DemixError as error:
        for line in str(error).splitlines():
            print(f"demix: error: {line}", file=sys.stderr)
        sys.exit(1)
    except KeyboardInterrupt:
        print("demix: interrupted", file=sys.stderr)
        sys.exit(130)


def parser(module: str, description: str | None) -> argparse.ArgumentParser:
    """The argument parser of `python -m demix.<module>`, described by the module's docstring."""
    return argparse.ArgumentParser(
        prog=f"python -m demix.{module}",
        description=description,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )


def from_json(text: str, option: str) -> Any:
    """Parse the JSON value of an option.

    Raises:
        ConfigError: it is no JSON.
    """
    try:
        return json.loads(text)
    except ValueError as error:
        raise ConfigError(f"{option}: not JSON ({error}), got {text[:60]!r}") from None
