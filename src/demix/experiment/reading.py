"""Reading configuration files: merged in the order they are given, `{file: ...}` of a suite replaced by that file."""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from demix.support.errors import ConfigError
from demix.support.importing import add_import_folders, folders_of
from demix.support.mappings import merge


def read_config(*files: Path) -> dict[str, Any]:
    """The content of configuration files with that of the files that their suites name.

    The folders of the files become importable, for classes of the user's own (`kind: module:Class`).

    Args:
        files: later ones are laid over earlier ones, mapping by mapping.

    Raises:
        ConfigError: a file is missing or no YAML mapping.
    """
    add_import_folders(folders_of(files))
    config: dict[str, Any] = {}
    for file in files:
        config = merge(config, _with_whole_paths(_read(file), file.resolve().parent))
    return _with_suites(config)


def in_written_order(files: Iterable[Path], config: Mapping[str, Any]) -> dict[str, Any]:
    """Snakemake's merged configuration as `read_config` has it: entries of earlier files first, suites in place.

    Snakemake puts the entries of a --configfile before those of the file that they extend; but rows are printed in
    order, and of two changes to one entry the later one wins. It also forgets which file a relative path stands in.

    Args:
        files: all configuration files, the workflow's own first; one that is there twice counts once.
        config: what Snakemake made of them and of --config.

    Raises:
        ConfigError: a file is missing or no YAML mapping.
    """
    files = list(dict.fromkeys(Path(file).resolve() for file in files))
    add_import_folders(folders_of(files))
    written: dict[str, Any] = {}
    for file in files:
        content = _read(file)
        config = _without_paths_of(content, config)
        written = merge(written, _with_whole_paths(content, file.parent))
    return _with_suites(merge(written, dict(config)))


def _with_suites(config: dict[str, Any]) -> dict[str, Any]:
    """The content of each suite's file in its place, with the entries beside `file` laid over it."""
    read = {name: _read_suite(name, suite) for name, suite in _suites(config).items() if "file" in suite}
    return config | {"suites": config["suites"] | read} if read else config


def _read_suite(name: str, suite: Mapping[str, Any]) -> Any:
    own = {key: value for key, value in suite.items() if key != "file"}
    try:
        return merge(_read(Path(suite["file"])), own)
    except (ConfigError, TypeError) as error:
        raise ConfigError(f"suites.{name}.file: {error}") from None


def _with_whole_paths(config: dict[str, Any], folder: Path) -> dict[str, Any]:
    """Files of suites relative to the folder of the configuration file that names them."""
    named = {name: suite for name, suite in _suites(config).items() if isinstance(suite.get("file"), str)}
    suites = {name: suite | {"file": str(folder / suite["file"])} for name, suite in named.items()}
    return config | {"suites": config["suites"] | suites} if suites else config


def _without_paths_of(content: Mapping[str, Any], config: Mapping[str, Any]) -> Mapping[str, Any]:
    """`config` without the names of files of suites that `content` gave it."""
    given = {name: suite["file"] for name, suite in _suites(content).items() if "file" in suite}
    suites = {
        name: {key: value for key, value in suite.items() if key != "file" or value != given.get(name)}
        for name, suite in _suites(config).items()
    }
    return {**config, "suites": config["suites"] | suites} if suites else config


def _suites(config: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """The suites that are mappings; what else there is, is refused when the configuration is validated."""
    suites = config.get("suites")
    entries = suites.items() if isinstance(suites, dict) else ()
    return {name: suite for name, suite in entries if isinstance(suite, dict)}


def _read(file: Path) -> dict[str, Any]:
    import yaml

    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)  # five times as fast, where yaml was built with it
    try:
        content = yaml.load(file.read_text(encoding="utf-8"), Loader=loader)
    except (OSError, UnicodeDecodeError, yaml.YAMLError) as error:
        raise ConfigError(f"{file}: not readable as YAML ({str(error).splitlines()[0]})") from None
    if not isinstance(content, dict):
        raise ConfigError(f"{file}: must hold a mapping")
    return content
