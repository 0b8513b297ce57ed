"""What the documentation shows and names: configuration that is accepted, and modules, classes and files that exist."""

import re
from functools import cache
from glob import glob

import pytest
import yaml
from house import PACKAGE, SOURCES, commands
from project import CONFIG, ROOT

from demix.experiment.experiment import load_experiment
from demix.specs.workflow import WorkflowSpec

PAGES = sorted(
    str(page.relative_to(ROOT))
    for page in [*ROOT.glob("*.md"), *ROOT.glob("docs/*.md"), PACKAGE / "published/README.md"]
)
SCALES = ("smoke", "demo", "laptop", "paper")
every_page = pytest.mark.parametrize("page", PAGES)

FOLDERS = ("docs", "envs", "profiles", "results/reference", "rules", "src", "suites", "tests")
"""Folders of the repository that a path in a text begins with; the rest of results is there once something has run."""


def text_of(page):
    return (ROOT / page).read_text()


def blocks(page, language):
    """The content of the code blocks of a page, without the indentation of a list that they stand in."""
    found = re.findall(rf"^( *)```{language}\n(.*?)^\1```", text_of(page), re.MULTILINE | re.DOTALL)
    return [re.sub(rf"^{indent}", "", body, flags=re.MULTILINE) for indent, body in found]


def excerpt_of(body):
    """The file of the repository that a block shows parts of, as its first line says; None for any other block."""
    first = re.match(r"# (\S+\.yaml)\n", body)
    return ROOT / first[1] if first and (ROOT / first[1]).is_file() else None


YAML = [(page, body) for page in PAGES for body in blocks(page, "yaml")]
EXCERPTS = [(page, body) for page, body in YAML if excerpt_of(body)]
WHOLE = [(page, body) for page, body in YAML if not excerpt_of(body)]
CONFIGURATIONS = [(page, body) for page, body in WHOLE if set(WorkflowSpec.model_fields) & set(yaml.safe_load(body))]


def named(cases):
    """Cases with the page and a number as their name."""
    return [pytest.param(*case, id=f"{case[0]}-{number}") for number, case in enumerate(cases)]


def accepted(body, folder, scale="demo"):
    """The experiment of a block that is laid over the workflow's configuration."""
    file = folder / "mine.yaml"
    file.write_text(body)
    return load_experiment(CONFIG, file, scale=scale)


def test_there_are_blocks_of_each_kind():
    assert len(EXCERPTS) > 0
    assert len(CONFIGURATIONS) > 5


@pytest.mark.parametrize(("page", "body"), named(WHOLE))
def test_blocks_of_yaml_are_mappings(page, body):
    assert isinstance(yaml.safe_load(body), dict)


@pytest.mark.parametrize(("page", "body"), named(EXCERPTS))
def test_what_is_shown_of_a_file_is_in_it(page, body):
    content = excerpt_of(body).read_text()
    lines = [line for line in body.splitlines()[1:] if line and "…" not in line]
    assert len(lines) > 3
    assert all(f"{line}\n" in content for line in lines)


@pytest.mark.parametrize("scale", SCALES)
@pytest.mark.parametrize(("page", "body"), named(CONFIGURATIONS))
def test_configuration_is_accepted_at_every_scale(page, body, scale, tmp_path):
    """Blocks that need classes or runs of the reader's own are left to the tests that have these."""
    if re.search(r"\w+:\w+Spec\b|# figures.yaml", body):
        pytest.skip("needs a module of the reader's own")
    experiment = accepted(body, tmp_path, scale)
    assert experiment.runs
    assert experiment.tables


def block_of(page, title):
    """The block of a page whose first line starts with a comment."""
    (body,) = (body for other, body in YAML if other == page and body.startswith(f"# {title}"))
    return body


def test_a_row_that_the_readme_adds_is_added(tmp_path):
    experiment = accepted(block_of("README.md", "mine.yaml"), tmp_path)
    assert list(experiment.table("icml_table1").rows)[-1] == "sph-uni-vmf50_sph-vmf1"


def test_the_suite_that_the_readme_makes_has_its_run_and_table(tmp_path):
    experiment = accepted(block_of("README.md", "wider.yaml"), tmp_path)
    assert experiment.runs["wide-box_unb-norm"].suite == "wider"
    assert "wide_boxes" in experiment.tables


@cache
def source_of(module):
    """Source of a module of the package, None if there is none."""
    path = SOURCES.joinpath(*module)
    file = next((p for p in (path.with_suffix(".py"), path / "__init__.py") if p.is_file()), None)
    return None if file is None else file.read_text()


def exists(name):
    """Whether a dotted name is a module of the package, or something that a module or a class in it defines."""
    parts = tuple(name.split("."))
    for length in range(len(parts), 0, -1):
        source = source_of(parts[:length])
        if source is not None:
            defined = re.findall(r"^ *(?:class|def) (\w+)|^ *(\w+)(?:: [^=\n]+)? =", source, re.MULTILINE)
            return set(parts[length:]) <= {word for words in defined for word in words}
    return False


@every_page
def test_dotted_names_exist(page):
    public = {
        f"demix.{name}" for name in re.findall(r"as (\w+)$", (PACKAGE / "__init__.pyi").read_text(), re.MULTILINE)
    }
    names = set(re.findall(r"\bdemix(?:_render)?(?:\.\w+)+", text_of(page)))
    files_of_demix = {name for name in names if name.endswith(".head")}  # .snakemake/demix.head
    assert not sorted(name for name in names - public - files_of_demix if not exists(name))


@every_page
def test_commands_exist(page):
    called = set(re.findall(r"python -m demix\.(\w+)", text_of(page)))
    assert called <= set(commands())


@every_page
def test_files_in_backticks_exist(page):
    spans = re.findall(r"`([^`\s]+)`", re.sub(r"^ *```.*?^ *```", "", text_of(page), flags=re.MULTILINE | re.DOTALL))
    paths = {path for path in spans if path.startswith(tuple(f"{folder}/" for folder in FOLDERS))}
    patterns = {re.sub(r"<[^>]*>", "*", path) for path in paths}
    site = "profiles/slurm/site.yaml"  # of the reader's own
    assert not sorted(path for path in patterns - {site} if not glob(path, root_dir=ROOT))


@every_page
def test_links_lead_to_files(page):
    folder = (ROOT / page).parent
    targets = re.findall(r"\]\((?!https?://)([^)#\s]*)(?:#[^)]*)?\)", text_of(page))
    assert not sorted(target for target in targets if target and not (folder / target).exists())
