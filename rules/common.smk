# What the rules share: the experiment at the chosen scale, and small path and input helpers.
# Rules say what depends on what; everything that can be tested lives in the package `demix`.
import json
import re
import sys

from demix.workflow import paths
from demix.workflow.budget import pixels_memory_mb, train_memory_mb, train_minutes
from demix.workflow.collecting import data_cards
from demix.datasets.common.card import CARD, card_hash, missing_after, next_attempt
from demix.support.environment import prepare_commands
from demix.support.errors import DemixError, Named
from demix.experiment.experiment import Experiment, in_written_order
from demix.figures.plan import figure_plan, figure_runs, pictures_of_figures
from demix.experiment.keys import code_digest, result_key
from demix.datasets.common.rendering import shard_minutes, shards
from demix.workflow.slurm import read_site
from demix.workflow.store import MANIFEST, Store
from demix.workflow.store import PICTURES as PICTURE_KINDS
from demix.tables.plan import published_digest, table_plan

prepare_commands()

try:
    EXPERIMENT = Experiment(in_written_order(Path(workflow.basedir) / "workflow_config.yaml", config))
    SITE = read_site()
    STORE = Store.from_environment()
    FIGURES = {figure: figure_plan(EXPERIMENT, figure) for figure in EXPERIMENT.figures}
except DemixError as error:
    sys.exit("\n".join(f"demix: error: {line}" for line in str(error).splitlines()))

# How many GPUs a training asks for does not depend on what this machine has.
GPUS = int(EXPERIMENT.device != "cpu")

RUNS = Named("trained run", {paths.run_name(run): run for run in EXPERIMENT.runs.values() if not run.is_raw})
SCORED = Named("run", {paths.run_name(run): run for run in EXPERIMENT.runs.values()})
THEORY = [figure for figure, plan in FIGURES.items() if plan["kind"] == "theory"]
TRACES = [figure for figure, plan in FIGURES.items() if plan["kind"] == "mask_traces"]
DATA = Named("data set", {paths.data_name(run): run for run in EXPERIMENT.runs.values() if run.has_own_data})


# Image data sets by kind and name, and how often it has been tried to get each of the external ones.
def data_of_kind(kind):
    runs = EXPERIMENT.runs.values()
    return {paths.data_name(run): run for run in runs if run.spec.problem.data_spec.kind == kind}


EXTERNAL = data_of_kind("kitti_masks")
STAND_INS = data_of_kind("kitti_stand_in")
DOWNLOADED = data_of_kind("downloaded_pictures")
LOCAL = data_of_kind("local_pictures")
ARCHIVES = {
    paths.archive_name(archive): archive for run in DOWNLOADED.values() for archive in run.spec.problem.data.archives
}
ATTEMPTS = {
    card: next_attempt(card)
    for card in [*data_cards(EXPERIMENT.runs.values()), *map(paths.archive_card, ARCHIVES.values())]
}
# Raw pixels are scored by a step of their own, since there are too many to be kept as codes.
PIXELS = Named(
    "run of raw pixels",
    {paths.run_name(run): run for run in EXPERIMENT.runs.values() if run.is_raw and not run.has_own_data},
)
LATENTS = [figure for figure, plan in FIGURES.items() if plan["kind"] == "latent_scores"]
# What a trained or raw run leaves for scoring.
RESULTS = ("codes.npz", "provenance.json")
# What is rendered, by the name of its folder, for runs and for figures.
RENDERING = EXPERIMENT.datasets.threedident
RENDER_GPUS = int(RENDERING.device != "cpu")
RENDERER_ATTEMPT = next_attempt(paths.renderer_card())
RENDERED = {name: run.spec.problem.data_spec for name, run in data_of_kind("rendered_pictures").items()}
FIGURE_PICTURES = pictures_of_figures(EXPERIMENT)
PICTURES = RENDERED | {paths.pictures_name(spec): spec for spec in FIGURE_PICTURES.values()}
# What the name of a folder of runs or data looks like. The names themselves, thousands of them at times, would be
# searched in every path that Snakemake makes; one that is not known is an error all the same, where it is looked up.
NAME = f"[^/]+-[0-9a-f]{{{paths.SHORT}}}"


def alternatives(names):
    return "|".join(map(re.escape, names)) or "none"


wildcard_constraints:
    scale=EXPERIMENT.scale_name,
    run=NAME,
    scored=NAME,
    data=NAME,
    external=alternatives(EXTERNAL),
    stand_in=alternatives(STAND_INS),
    downloaded=alternatives(DOWNLOADED),
    local=alternatives(LOCAL),
    archive=alternatives(ARCHIVES),
    pixels=alternatives(PIXELS),
    seed=alternatives(map(str, EXPERIMENT.seeds)),
    table=alternatives(EXPERIMENT.tables),
    figure=alternatives(FIGURES),
    theory_figure=alternatives(THEORY),
    traces_figure=alternatives(TRACES),
    latents_figure=alternatives(LATENTS),
    pictures_figure=alternatives(FIGURE_PICTURES),
    sweep_figure=alternatives(FIGURES.keys() - {*THEORY, *TRACES, *LATENTS, *FIGURE_PICTURES}),
    rendering=alternatives({spec.kind for spec in PICTURES.values()}),
    pictures=alternatives(PICTURES),
    rendered=alternatives(RENDERED),
    split="[a-z]+",
    first="[0-9]+",


def as_json(spec):
    return json.dumps(spec.model_dump(mode="json"), sort_keys=True)


def data_spec(wildcards):
    return as_json(DATA[wildcards.data].spec.problem.without_conditional)


def image_data_spec(run):
    return as_json(run.spec.problem.data_spec)


def archive_cards(wildcards):
    """Cards of the archives of downloaded pictures."""
    return [paths.archive_card(archive) for archive in DOWNLOADED[wildcards.downloaded].spec.problem.data.archives]


def archive_urls(wildcards, input):
    return EXPERIMENT.datasets.threedident.urls[ARCHIVES[wildcards.archive].split]


def all_there(runs):
    """False after a step of this very workflow has found that data of these runs is not available."""
    return not any(missing_after(card, ATTEMPTS[card]) for card in data_cards(runs))


def run_spec(wildcards):
    return as_json(RUNS[wildcards.run].spec)


def run_card(wildcards):
    """The small file that names a run's data. Its age does not matter: the data's key is in its path."""
    return ancient(paths.data_folder(RUNS[wildcards.run], int(wildcards.seed)) / "card.json")


def run_threads(wildcards):
    return RUNS[wildcards.run].spec.training.threads


def external_hash(run):
    """Hash of the external data of a run; empty if it has none."""
    return card_hash(paths.data_folder(run, 0) / CARD) if run.spec.problem.external else ""


def cached_run(wildcards):
    """The entry of a trained run in the cache. Where there is no whole one the rule does not apply."""
    run, seed = RUNS[wildcards.run], int(wildcards.seed)
    finished = paths.seed_folder(EXPERIMENT, run, seed) / "provenance.json"
    whole = STORE.holds("train", run.key, seed, contents=not finished.exists(), data=external_hash(run))
    return ancient(STORE.folder("train", run.key, seed) / (MANIFEST if whole else "none"))


# Runs of earlier tables go first, so that the first table is there while the others still train.
PRIORITIES = {}
for place, name in enumerate(EXPERIMENT.tables):
    for run in EXPERIMENT.runs_of(name):
        PRIORITIES.setdefault(run.id, len(EXPERIMENT.tables) - place)


def run_priority(wildcards):
    return PRIORITIES.get(RUNS[wildcards.run].id, 0)


def run_memory(wildcards, attempt):
    return attempt * train_memory_mb(RUNS[wildcards.run].spec, GPUS)


def run_minutes(wildcards, attempt):
    return SITE.minutes(attempt * train_minutes(RUNS[wildcards.run].spec, GPUS))


def step_code(*modules):
    """Digest of the code of a light step, so that a change in it makes the step's results anew."""
    return code_digest(frozenset(modules))


def seed_results(wildcards):
    run = SCORED[wildcards.scored]
    folders = [paths.seed_folder(EXPERIMENT, run, seed) for seed in run.seeds]
    return [folder / name for folder in folders for name in RESULTS]


def folders_of(paths_of_results):
    return sorted({Path(path).parent for path in paths_of_results})


def table_scores(wildcards):
    """The scores of a table's runs; none if their data cannot be had, which the card beside them says."""
    runs = EXPERIMENT.runs_of(wildcards.table)
    return [paths.scores_file(EXPERIMENT, run) for run in runs] if all_there(runs) else []


def table_cards(wildcards):
    return data_cards(EXPERIMENT.runs_of(wildcards.table))


def table_files(table):
    return [paths.table_file(EXPERIMENT, table, ending) for ending in ("parquet", *paths.TABLE_FORMATS)]


def figure_scores(wildcards):
    return [paths.scores_file(EXPERIMENT, run) for run in figure_runs(EXPERIMENT, wildcards.sweep_figure)]


def traces_run(wildcards):
    return EXPERIMENT.runs[FIGURES[wildcards.traces_figure]["run"]]


def traces_codes(wildcards):
    """The codes that a picture shows; none if the data of its run cannot be had."""
    run, seed = traces_run(wildcards), FIGURES[wildcards.traces_figure]["seed"]
    return [paths.seed_folder(EXPERIMENT, run, seed) / "codes.npz"] if all_there([run]) else []


def traces_card(wildcards):
    return paths.data_folder(traces_run(wildcards), 0) / CARD


def latents_results(wildcards):
    """Codes and provenance of the runs of a figure, all seeds; none if their data cannot be had."""
    runs = figure_runs(EXPERIMENT, wildcards.latents_figure)
    folders = [paths.seed_folder(EXPERIMENT, run, seed) for run in runs for seed in run.seeds]
    return [folder / name for folder in folders for name in RESULTS] if all_there(runs) else []


def latents_cards(wildcards):
    return data_cards(figure_runs(EXPERIMENT, wildcards.latents_figure))


def data_of_figure(figure):
    """The parquet file that a figure is drawn from, with the claims about it if the papers make any."""
    data = paths.figure_data_file(EXPERIMENT, figure)
    without_claims = figure in {*THEORY, *TRACES, *LATENTS, *FIGURE_PICTURES}
    return {"points": data} | ({} if without_claims else {"claims": paths.claims_beside(data)})


def shard_files(spec):
    """The shards of pictures; none after a step of this very workflow has found that they cannot be rendered."""
    files = [paths.shard_file(spec, shard.name) for shard in shards(spec)]
    missing = missing_after(paths.renderer_card(), RENDERER_ATTEMPT)
    return [] if missing and not all(file.exists() for file in files) else files


def data_shards(wildcards):
    return shard_files(RENDERED[wildcards.rendered])


def data_latents(wildcards):
    """What the shards must be of; drawn even if nothing can be rendered."""
    spec = RENDERED[wildcards.rendered]
    return [paths.shard_file(spec, f"{split}_latents").with_suffix(".npy") for split in spec.counts()]


def figure_shards(wildcards):
    return shard_files(FIGURE_PICTURES[wildcards.pictures_figure])


def shard_count(wildcards):
    (shard,) = (
        shard
        for shard in shards(PICTURES[wildcards.pictures])
        if (shard.split, shard.first) == (wildcards.split, int(wildcards.first))
    )
    return shard.count


def cached_shard(wildcards):
    """The entry of a rendered shard in the cache. Where there is none the rule does not apply. Its size alone is
    looked at here: the digests of all shards of a data set would be gigabytes to read; they are when it is taken."""
    kind, key = PICTURE_KINDS[wildcards.split], result_key(PICTURES[wildcards.pictures])
    there = STORE.holds(kind, key, int(wildcards.first), contents=False)
    return ancient(STORE.folder(kind, key, int(wildcards.first)) / (MANIFEST if there else "none"))


def shard_runtime(wildcards, attempt):
    spec = PICTURES[wildcards.pictures]
    return SITE.minutes(attempt * shard_minutes(spec, shard_count(wildcards), RENDERING.threads, RENDER_GPUS))


def figure_data(wildcards):
    return data_of_figure(wildcards.figure)


def figure_files(figure):
    pictures = [paths.figure_file(EXPERIMENT, figure, ending) for ending in paths.FIGURE_FORMATS]
    return [*data_of_figure(figure).values(), *pictures]


def same_settings():
    """The configuration of this command, for another call of Snakemake."""
    settings = workflow.config_settings
    given = [f"{name}={json.dumps(value)}" for name, value in settings.config.items()]
    files = [str(Path(path).resolve()) for path in settings.configfiles]
    return [*(["--configfile", *files] if files else []), *(["--config", *given] if given else [])]
