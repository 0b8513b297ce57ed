"""Look after the cache that clones, folders and users share (DEMIX_CACHE names its folder).

python -m demix.cache list                  what is in it
python -m demix.cache explain [RUN ...]     which runs of the configuration are in it; why the others are not
python -m demix.cache verify                compare every file with its digest; --remove drops damaged entries
python -m demix.cache prune --days 90       drop entries that nobody took for 90 days; or --gb 50, the oldest first
"""

import time
from argparse import Namespace
from collections.abc import Iterator
from typing import Any

from demix.experiment.keys import key_parts
from demix.experiment.options import add_config_options, experiment_of
from demix.experiment.run import TRAINING_MODULES, Run
from demix.support.cli import parser, run
from demix.support.errors import ConfigError, DataError, DemixError, unknown
from demix.support.mappings import flat
from demix.workflow.store import VARIABLE, Entry, Store, seed_part

GB = 1e9
DAY = 86400.0


def main() -> None:
    """Command line."""
    arguments = parser("cache", __doc__)
    what = arguments.add_subparsers(dest="what", required=True)
    what.add_parser("list", help="what is in it")
    explain_options = what.add_parser("explain", help="why runs are in it or not")
    explain_options.add_argument("runs", nargs="*", metavar="RUN", help="default: all runs")
    add_config_options(explain_options)
    verify_options = what.add_parser("verify", help="compare every file with its digest")
    verify_options.add_argument("--remove", action="store_true", help="remove damaged entries")
    prune_options = what.add_parser("prune", help="remove entries")
    prune_options.add_argument("--days", type=float, help="those that nobody stored or took for that many days")
    prune_options.add_argument("--gb", type=float, help="the oldest, until what remains is that small")
    prune_options.add_argument("-n", "--dry-run", action="store_true", help="only say which")
    options = arguments.parse_args()
    store = Store.from_environment()
    if store is None:
        raise ConfigError(f"{VARIABLE} is not set: there is no cache; it names a folder, such as /shared/demix-cache")
    COMMANDS[options.what](store, options)


def list_entries(store: Store, options: Namespace) -> None:
    """Print every entry."""
    total = 0
    for entry in store.entries():
        total += entry.size
        print(describe(entry))
    print(f"{store.root}: {total / GB:.3f} GB")


def describe(entry: Entry) -> str:
    """One line: kind, name, part, key, size, when and by whom."""
    try:
        about = entry.manifest
    except DataError as error:
        return f"damaged  {entry.folder.name}  {error}"
    used = time.strftime("%Y-%m-%d", time.gmtime(entry.last_used))
    return (
        f"{about['kind']:17} {about['name']:40} {about['part']:14} {about['key'][:8]}  {entry.size / 1e6:8.2f} MB  "
        f"used {used}  by {about.get('by', '?')}"
    )


def explain(store: Store, options: Namespace) -> None:
    """Say for every run and seed whether it is in the cache, and if not, what sets it apart from what is."""
    experiment = experiment_of(options)
    for name in options.runs:
        if name not in experiment.runs:
            raise ConfigError(unknown("run", name, experiment.runs))
    stored = [about for about in _manifests(store) if about["kind"] == "train"]
    for member in experiment.runs.values():
        if member.is_raw or (options.runs and member.id not in options.runs):
            continue
        there = [seed for seed in member.seeds if store.holds("train", member.key, seed_part(seed), contents=False)]
        missing = [seed for seed in member.seeds if seed not in there]
        print(f"{member.id} (key {member.key[:8]})")
        if there:
            print(f"  in the cache: seed {', '.join(map(str, there))}")
        if missing:
            print(f"  not in the cache: seed {', '.join(map(str, missing))}")
            for line in reasons(member, missing, stored):
                print(f"    {line}")


def reasons(member: Run, seeds: list[int], stored: list[dict[str, Any]]) -> list[str]:
    """Why these seeds of a run are not in the cache: what differs from the entry that is nearest."""
    parts_there = {about["part"] for about in stored if about["key"] == member.key}
    if parts_there:
        if any(seed_part(seed) in parts_there for seed in seeds):
            return ["the entry is damaged; it is replaced when the run is trained again"]
        return ["other seeds of it are"]
    wanted = key_parts(member.spec, *TRAINING_MODULES, evaluation=False)
    named = [about for about in stored if about["name"] == member.id] or stored
    compared = [(differences(about["parts"], wanted), about) for about in named]
    if not compared:
        return ["nothing has been stored yet"]
    lines, about = min(compared, key=lambda pair: len(pair[0]))
    return [f"the nearest entry, {about['name']} (key {about['key'][:8]}), differs in:", *(f"  {x}" for x in lines)]


def differences(stored: dict[str, Any], wanted: dict[str, Any]) -> list[str]:
    """What differs between the parts of two keys, one line each."""
    lines = []
    for part in ("spec", "code", "versions"):
        one, other = flat(stored[part]), flat(wanted[part])
        for name in sorted(one.keys() | other.keys()):
            if one.get(name) == other.get(name):
                continue
            if part == "code":
                change = "changed" if name in one and name in other else "new" if name in other else "not used any more"
                lines.append(f"code: {name} {change}")
            else:
                lines.append(f"{part}: {name}: {one.get(name, 'none')} → {other.get(name, 'none')}")
    return lines


def verify(store: Store, options: Namespace) -> None:
    """Compare every file with its digest.

    Raises:
        DemixError: something is damaged and was not removed.
    """
    count, damaged = 0, 0
    for entry in store.entries():
        count += 1
        damage = entry.damage()
        if damage:
            removed = options.remove and store.remove(entry)
            damaged += not removed
            print(f"{entry.folder}: {damage}{'; removed' if removed else ''}")
    print(f"{count} entries")
    if damaged:
        raise DemixError(f"{damaged} of {count} entries are damaged; --remove drops them")


def prune(store: Store, options: Namespace) -> None:
    """Remove entries that are old, or the oldest of too many, and what killed processes left half-written."""
    if options.days is None and options.gb is None:
        raise ConfigError("prune: give --days or --gb")
    entries = sorted(store.entries(), key=lambda entry: entry.last_used)
    sizes = {entry: entry.size for entry in entries}
    kept, freed = sum(sizes.values()), 0
    for entry in entries:
        too_old = options.days is not None and entry.last_used < time.time() - options.days * DAY
        too_much = options.gb is not None and kept > options.gb * GB
        if not (too_old or too_much):
            continue
        line = describe(entry)
        if options.dry_run or store.remove(entry):
            print(("would remove " if options.dry_run else "removed ") + line)
            kept -= sizes[entry]
            freed += sizes[entry]
    if not options.dry_run:
        store.clear_leftovers(older_than=DAY)
    print(f"{freed / GB:.3f} GB {'would be ' if options.dry_run else ''}freed, {kept / GB:.3f} GB left")


def _manifests(store: Store) -> Iterator[dict[str, Any]]:
    for entry in store.entries():
        try:
            yield entry.manifest
        except DataError:
            continue


COMMANDS = {"list": list_entries, "explain": explain, "verify": verify, "prune": prune}

if __name__ == "__main__":
    run(main)
