"""The controller goes away while jobs run. It has the cluster to itself: this file comes after the other faults."""

import os
import signal
import time
from datetime import datetime

from lab import Lab, same_bits, squeue, state, wait_for


def test_an_outage_of_the_controller_is_waited_for(cluster, clone, undisturbed, tmp_path):
    lab = Lab(clone, tmp_path)
    head = lab.start()
    job = lab.job()
    training = lab.hold()
    wait_until_saved(cluster, job)
    cluster.kill("slurmctld")
    os.kill(training, signal.SIGCONT)
    time.sleep(40)
    assert head.poll() is None, lab.said()[-3000:]
    cluster.revive("slurmctld")
    lab.end(head)
    assert lab.submitted() == [job]
    assert state(job) == "COMPLETED"
    same_bits(lab, undisturbed)


def wait_until_saved(cluster, job):
    """The controller writes its state down every few seconds: killed before, it would take the job for a waiting one
    and start it again."""
    began = datetime.fromisoformat(squeue("-j", job, "-o", "%S").strip()).timestamp()  # in whole seconds
    saved = cluster.state / "controller/job_state"
    wait_for("the controller to save its state", lambda: saved.exists() and saved.stat().st_mtime > began + 1, 60)
