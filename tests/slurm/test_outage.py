"""The controller goes away while jobs run. It has the cluster to itself: this file comes after the other faults."""

import time

from lab import Lab, same_bits, state


def test_an_outage_of_the_controller_is_waited_for(cluster, clone, undisturbed, tmp_path):
    lab = Lab(clone, tmp_path)
    head = lab.start()
    job = lab.job()
    cluster.kill("slurmctld")
    time.sleep(40)
    assert head.poll() is None, lab.said()[-3000:]
    cluster.revive("slurmctld")
    lab.end(head)
    assert lab.submitted() == [job]
    assert state(job) == "COMPLETED"
    same_bits(lab, undisturbed)
