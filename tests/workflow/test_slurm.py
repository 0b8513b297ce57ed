"""What a cluster is told, and which jobs in its queue are ours. No SLURM is needed: its commands are stand-ins."""

import os
import re
import sys
from fnmatch import fnmatchcase

import pytest
from project import CONFIG

from demix.experiment.experiment import load_experiment
from demix.support.errors import ConfigError, DemixError
from demix.workflow import slurm
from demix.workflow.budget import train_memory_mb, train_minutes
from demix.workflow.slurm import Site, cancel_leftovers, jobs_of, read_site

UUID = "b93fec19-6fc3-43fb-8073-a83af46b4e68"


@pytest.fixture(autouse=True)
def no_settings(monkeypatch):
    for variable in [name for name in os.environ if name.startswith(slurm.PREFIX)]:
        monkeypatch.delenv(variable)


def test_an_unset_site_leaves_every_choice_to_the_cluster(tmp_path):
    assert read_site(tmp_path).resources(0) == {}
    assert read_site(tmp_path).resources(1) == {"gpu": 1}
    assert read_site(tmp_path).minutes(1e6) == 1_000_000


def test_a_file_is_read_and_a_variable_beats_it(tmp_path, monkeypatch):
    (tmp_path / "site.yaml").write_text("account: 1234\ngpu: gres\ngpu_partition: big\npartition: small\n")
    monkeypatch.setenv("DEMIX_SLURM_ACCOUNT", "physics")
    monkeypatch.setenv("DEMIX_SLURM_MAX_MINUTES", "90")
    monkeypatch.setenv("DEMIX_SLURM_QOS", "")  # unset, as people write it in scripts
    site = read_site(tmp_path)
    assert site.resources(1) == {"slurm_account": "physics", "slurm_partition": "big", "gres": "gpu:1"}
    assert site.resources(0) == {"slurm_account": "physics", "slurm_partition": "small"}
    assert site.minutes(700.4) == 90


@pytest.mark.parametrize(
    ("site", "requested"),
    [
        (Site(gpu_model="a100"), {"gpu": 1, "gpu_model": "a100"}),
        (Site(gpu="gres", gpu_model="a100"), {"gres": "gpu:a100:1"}),
        (Site(partition="only"), {"slurm_partition": "only", "gpu": 1}),
        (Site(qos="long", constraint="ampere"), {"qos": "long", "constraint": "ampere", "gpu": 1}),
    ],
)
def test_a_gpu_is_requested_as_the_site_spells_it(site, requested):
    assert site.resources(1) == requested


def test_a_misspelt_setting_is_named(tmp_path, monkeypatch):
    (tmp_path / "site.yaml").write_text("acount: physics\n")
    with pytest.raises(ConfigError, match=r"site\.yaml.*unknown key 'acount' \(did you mean 'account'\?\)"):
        read_site(tmp_path)
    (tmp_path / "site.yaml").write_text("- account\n")
    with pytest.raises(ConfigError, match="must hold a mapping"):
        read_site(tmp_path)
    (tmp_path / "site.yaml").write_text("gpu: [\n")
    with pytest.raises(ConfigError, match="not readable as YAML"):
        read_site(tmp_path)


def test_the_template_names_every_setting():
    text = (slurm.PROFILE / "site.example.yaml").read_text()
    assert re.findall(r"^# (\w+): ", text, re.MULTILINE) == list(Site.model_fields)


def commands(folder, **scripts):
    """Stand-ins for SLURM's commands, first on the path."""
    folder.mkdir(exist_ok=True)
    for name, body in scripts.items():
        (folder / name).write_text(f"#!{sys.executable}\nimport sys\nfrom pathlib import Path\n{body}\n")
        (folder / name).chmod(0o755)
    return str(folder) + os.pathsep + os.environ["PATH"]


def line(job, name, workdir, state="RUNNING"):
    return f"{job}\t{state}\tn1\trule_train_wildcards_paper_a-12345678_0\t{name}\t{workdir}"


@pytest.fixture
def queue(tmp_path, monkeypatch):
    """A queue as a file: squeue prints it, scancel notes what it is told and takes the first line of that out."""
    file, cancelled = tmp_path / "queue", tmp_path / "cancelled"
    monkeypatch.setenv(
        "PATH",
        commands(
            tmp_path / "bin",
            squeue=f"print(Path({str(file)!r}).read_text(), end='')\n"
            f"p = Path({str(file)!r}); c = Path({str(cancelled)!r})\n"
            "gone = c.read_text().split() if c.exists() else []\n"
            "left = [x for x in p.read_text().splitlines(True) if x.split()[0] not in gone[:1]]\n"
            "p.write_text(''.join(left)); c.write_text(' '.join(gone[1:]))",
            scancel=f"Path({str(cancelled)!r}).write_text(' '.join(sys.argv[1:]))",
        ),
    )
    return file


def test_ours_are_the_jobs_of_this_very_folder_with_our_kind_of_name(queue, tmp_path, monkeypatch):
    monkeypatch.setenv("SLURM_JOB_ID", "5")
    (tmp_path / "link").symlink_to(tmp_path)
    lines = [
        line(1, f"demix_{UUID}", tmp_path),
        line(2, f"demix_{UUID}", tmp_path / "sub"),
        line(3, "wrap", tmp_path),
        line(4, f"demix_{UUID}x", tmp_path),
        line(5, f"demix_{UUID}", tmp_path),  # the job that the head process itself runs in
        line(6, f"demix_{UUID}", tmp_path / "link", "PENDING"),
    ]
    queue.write_text("\n".join(lines) + "\n")
    ours = jobs_of(tmp_path)
    assert [job.id for job in ours] == ["1", "6"]
    assert ours[0].trains("paper", "a-12345678", 0)
    assert not ours[0].trains("paper", "a-12345678", 1)
    assert (ours[1].state, ours[1].where) == ("PENDING", "n1")


def test_leftovers_are_cancelled_and_waited_for(queue, tmp_path):
    queue.write_text(
        "".join(line(job, f"demix_{UUID}", tmp_path) + "\n" for job in (1, 2)) + line(9, "other", tmp_path)
    )
    said = []
    assert cancel_leftovers(tmp_path, said.append, pause=0) == 2
    assert said == ["cancelling 2 SLURM jobs that a killed head process left in this folder: 1 2"]
    assert queue.read_text().startswith("9\t")


def test_without_leftovers_nothing_is_said(queue, tmp_path):
    queue.write_text(line(9, "other", tmp_path) + "\n")
    assert cancel_leftovers(tmp_path, pytest.fail) == 0


def test_jobs_that_do_not_leave_are_named(queue, tmp_path, monkeypatch):
    (tmp_path / "bin/scancel").write_text("#!/bin/sh\n")
    queue.write_text(line(1, f"demix_{UUID}", tmp_path, "COMPLETING") + "\n")
    monkeypatch.setattr(slurm, "SECONDS_TO_LEAVE", 0.2)
    with pytest.raises(DemixError, match="do not leave the queue: 1 COMPLETING n1"):
        cancel_leftovers(tmp_path, lambda text: None, pause=0.05)


def test_a_cluster_that_does_not_answer_is_an_error(tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", commands(tmp_path / "bin", squeue="sys.exit('Unable to contact slurm controller')"))
    with pytest.raises(DemixError, match="squeue does not answer: Unable to contact slurm controller"):
        jobs_of(tmp_path)


def budgets(scale, gpus, runs="*"):
    trained = [run for run in load_experiment(CONFIG, scale=scale).runs.values() if not run.is_raw]
    wanted = [run.spec for run in trained if fnmatchcase(run.id, runs)]
    return [(train_minutes(spec, gpus), train_memory_mb(spec, gpus)) for spec in wanted]


def test_the_published_run_may_take_what_its_authors_say_and_half_as_much_again():
    longest = max(minutes for minutes, _ in budgets("paper", 1, "[!3]*"))
    assert 10 * 60 < longest < 15 * 60
    of_images = max(minutes for minutes, _ in budgets("paper", 1, "3di-*"))
    assert 4 * 28 * 60 < of_images < 1.5 * 4 * 28 * 60  # 28 hours on four GPUs
    assert all(minutes < 60 for scale in ("smoke", "demo", "laptop") for minutes, _ in budgets(scale, 1))


def test_more_steps_and_larger_batches_get_more_time_and_a_cpu_more_than_a_gpu():
    for scale in ("laptop", "paper"):
        assert max(budgets(scale, 0)) > max(budgets(scale, 1))
    assert max(budgets("paper", 0))[1] > max(budgets("demo", 0))[1]
