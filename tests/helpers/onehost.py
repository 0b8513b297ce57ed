"""A real SLURM on this one host, for tests: controller, nodes with GPUs that are null devices, munge, accounting.

    python tests/slurm/onehost.py start STATE_FOLDER [--accounting]
    python tests/slurm/onehost.py stop STATE_FOLDER

It needs root on Debian and installs the packages that are missing. SLURM's commands read /etc/slurm, and Snakemake's
executor takes any other place away from them inside jobs: so there is one at a time on a host, linked from there, and
none is started where the host has a SLURM of its own. What is started runs in the foreground of a session of its own,
and is written down with its start time, so that `stop` ends these processes and no others. One that tests brought up
belongs to their process: other tests wait for its end, and clear up after one that was killed.
"""

import argparse
import contextlib
import json
import os
import shutil
import signal
import socket
import stat
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

ETC = Path("/etc/slurm")
LINKS = ("slurm.conf", "gres.conf", "slurmdbd.conf")
CLUSTER = "demixtest"
PACKAGES = ("slurmctld", "slurmd", "slurm-client", "munge")
ACCOUNTING_PACKAGES = ("slurmdbd", "slurm-wlm-mysql-plugin", "mariadb-server")
MEMORY_MB = 3000


class OneHostError(Exception):
    """It cannot be started here, or did not come up."""


@dataclass
class OneHost:
    """A one-host SLURM.

    Args:
        state: folder for its configuration, logs and state; made if it is not there.
        nodes: how many in partition "main", each with `cpus` and one GPU. Nodes are called n1, n2, ...
        fragile: how many more, in a partition of that name.
        accounting: with a database, so that sacct works.
        port: first of the TCP ports on loopback.
        owner: process that it is there for; another one is not kept waiting by what is left of it. None: for nobody in
            particular, until it is stopped.
        patience: seconds to wait until the tests of another process have ended theirs.
    """

    state: Path
    nodes: int = 2
    cpus: int = 8
    fragile: int = 0
    accounting: bool = False
    port: int = 26817
    owner: int | None = None
    patience: float = 1800
    sockets: Path = field(init=False)

    def __post_init__(self) -> None:
        self.state = self.state.resolve()
        # a socket's path may have about 100 characters, and every folder above munge's must be open to all
        self.sockets = Path(f"/tmp/demix-slurm-{self.port}")

    # ------------------------------------------------------------------------------------------------- up and down

    def start(self) -> None:
        """Bring it up; one that runs in the same folder is stopped first.

        Raises:
            OneHostError: this host has a SLURM of its own or one of these for somebody else, something is missing, or a
                daemon does not come up.
        """
        if os.geteuid() != 0:
            raise OneHostError("needs root")
        refuse_foreign_slurm()
        self._take_over()
        self.stop()
        install(PACKAGES + (ACCOUNTING_PACKAGES if self.accounting else ()))
        for folder in (self.state / "log", self.state / "controller", self.sockets):
            folder.mkdir(parents=True, exist_ok=True)
        self.sockets.chmod(0o755)
        if self.owner is not None:
            self._remember("owner", self.owner)
        try:
            self._write_configuration()
            self._start_munge()
            if self.accounting:
                self._start_accounting()
            self.revive("slurmctld")
            for number in range(1, self.nodes + self.fragile + 1):
                self.revive(f"n{number}")
            self._wait("the nodes", self._all_idle, 60)
        except BaseException:
            self.stop()
            raise

    def stop(self) -> None:
        """Cancel its jobs, end what `start` and `revive` started, remove the links. Does nothing where it is down."""
        if self._alive("slurmctld"):
            with contextlib.suppress(subprocess.SubprocessError):
                subprocess.run(["scancel", "--user=root"], capture_output=True, timeout=20)
                self._wait("the end of jobs", lambda: not self._said("squeue", "-h"), 20, must=False)
        for name in [f"n{number}" for number in range(1, 10)]:
            self._end(name)
        end_processes(of_cluster())
        for name in ("slurmctld", "slurmdbd", "mariadbd", "munged"):
            self._end(name)
        for name in LINKS:
            if os.path.islink(ETC / name) and Path(os.readlink(ETC / name)).parent == self.state:
                (ETC / name).unlink()
        shutil.rmtree(self.sockets, ignore_errors=True)

    # ------------------------------------------------------------------------------------------------------ faults

    def kill(self, name: str) -> None:
        """SIGKILL the controller ("slurmctld") or a node ("n1", ...) with everything that runs on it."""
        if name != "slurmctld":
            jobs = self._said("squeue", "-h", "-w", name, "-o", "%A").split()
            victims = [pid for pid in of_cluster() if on_node(pid, name, jobs)]
        self._end(name, signal.SIGKILL)
        if name != "slurmctld":
            end_processes(victims)

    def revive(self, name: str) -> None:
        """Start the controller or a node."""
        if name == "slurmctld":
            self._spawn(name, ["slurmctld", "-D"])
            self._wait("the controller", lambda: "UP" in self._said("scontrol", "ping"), 60)
        else:
            self._spawn(name, ["slurmd", "-D", "-N", name])

    # ------------------------------------------------------------------------------------------------------- parts

    def _take_over(self) -> None:
        """Wait for the tests of another process; stop what one left that was killed.

        Raises:
            OneHostError: it is there for nobody in particular, or its owner did not end in time.
        """
        for other in [OneHost(folder, port=self.port) for folder in linked_states() - {self.state}]:
            ends = f"the end of process {other._known().get('owner', [0])[0]}, which uses {other.state}"
            self._wait(ends, lambda other=other: not other._alive("owner"), self.patience)
            if "owner" not in other._known() and other._daemons():
                raise OneHostError(f"there is one already: python {__file__} stop {other.state}")
            other.stop()

    def _write_configuration(self) -> None:
        host, state, nodes = socket.gethostname(), self.state, range(1, self.nodes + self.fragile + 1)
        names = [f"n{number}" for number in nodes]
        steady = ",".join(names[: self.nodes])
        lines = [
            f"ClusterName={CLUSTER}",
            f"SlurmctldHost={host}(127.0.0.1)",
            f"SlurmctldPort={self.port}",
            "SlurmUser=root",
            "SlurmdUser=root",
            "AuthType=auth/munge",
            f"AuthInfo=socket={self.sockets}/munge,cred_expire=20",  # a requeued job is held that long
            f"StateSaveLocation={state}/controller",
            f"SlurmdSpoolDir={self.sockets}/%n",
            f"SlurmctldPidFile={self.sockets}/slurmctld.pid",
            f"SlurmdPidFile={self.sockets}/%n.pid",
            "MailProg=/bin/true",
            "MpiDefault=none",
            "ProctrackType=proctrack/pgid",  # no cgroups in a container
            "TaskPlugin=task/none",
            "JobAcctGatherType=jobacct_gather/linux",
            "JobAcctGatherFrequency=task=1",
            "JobAcctGatherParams=OverMemoryKill",
            "SelectType=select/cons_tres",
            "SelectTypeParameters=CR_Core_Memory",
            "SchedulerParameters=batch_sched_delay=0,sched_interval=2,bf_interval=2",
            "SlurmdParameters=config_overrides",  # more CPUs than there are
            "ReturnToService=2",
            "SlurmdTimeout=15",
            "KillWait=90",  # a checkpoint of a busy host takes its time
            "MinJobAge=3600",
            "GresTypes=gpu",
        ]
        if self.accounting:
            lines += [
                "AccountingStorageType=accounting_storage/slurmdbd",
                "AccountingStorageHost=localhost",
                f"AccountingStoragePort={self.port + 1}",
                f"AccountingStoragePass={self.sockets}/munge",
            ]
        lines += [
            f"NodeName=n{number} NodeHostname={host} NodeAddr=127.0.0.1 Port={self.port + 1 + number} "
            f"CPUs={self.cpus} RealMemory={MEMORY_MB * 4} Gres=gpu:1"
            for number in nodes
        ]
        lines += [
            f"PartitionName=main Nodes={steady} Default=YES MaxTime=INFINITE State=UP",
            f"PartitionName=gpu Nodes={steady} MaxTime=1-0 State=UP",
        ]
        if self.fragile:
            lines.append(f"PartitionName=fragile Nodes={','.join(names[self.nodes :])} State=UP")
        gres = []
        for number in nodes:
            (self.sockets / f"n{number}").mkdir(exist_ok=True)
            device = self.sockets / f"n{number}" / "nvidia0"
            if not device.exists():
                try:
                    os.mknod(device, 0o666 | stat.S_IFCHR, os.makedev(1, 3))
                except PermissionError:
                    device.symlink_to("/dev/null")
            gres.append(f"NodeName=n{number} Name=gpu File={device} Flags=nvidia_gpu_env")
        self._configure("slurm.conf", lines)
        self._configure("gres.conf", gres)

    def _configure(self, name: str, lines: list[str]) -> None:
        (self.state / name).write_text("\n".join(lines) + "\n")
        (self.state / name).chmod(0o600 if name == "slurmdbd.conf" else 0o644)
        ETC.mkdir(exist_ok=True)
        with contextlib.suppress(FileNotFoundError):
            (ETC / name).unlink()
        (ETC / name).symlink_to(self.state / name)

    def _start_munge(self) -> None:
        key, socket_path = self.state / "munge.key", self.sockets / "munge"
        if not key.exists():
            key.touch(0o600)
            key.write_bytes(os.urandom(1024))
        options = {
            "key-file": key,
            "socket": socket_path,
            "pid-file": self.sockets / "munge.pid",
            "log-file": self.state / "log/munge.log",
            "seed-file": self.state / "munge.seed",
        }
        self._spawn("munged", ["munged", "--foreground", "--force", *(f"--{k}={v}" for k, v in options.items())])
        self._wait("munge", lambda: self._said("munge", "-n", "-S", str(socket_path)) != "", 15)

    def _start_accounting(self) -> None:
        database, sock = self.state / "database", self.sockets / "database"
        plain = ["--no-defaults", f"--datadir={database}", "--user=root"]
        if not (database / "mysql").exists():
            command = ["mariadb-install-db", *plain, "--auth-root-authentication-method=normal", "--skip-test-db"]
            subprocess.run(command, capture_output=True, check=True)
        self._spawn(
            "mariadbd",
            ["mariadbd", *plain, f"--socket={sock}", f"--pid-file={self.sockets}/database.pid", "--skip-networking",
             "--innodb-flush-log-at-trx-commit=0", "--innodb-lock-wait-timeout=900"],
        )  # fmt: skip
        create = ["mariadb", "--no-defaults", "-S", str(sock), "-u", "root", "-e"]
        create += ["create database if not exists slurm_acct_db; select 1"]
        self._wait("the database", lambda: self._said(*create) != "", 60)
        self._configure(
            "slurmdbd.conf",
            [
                "AuthType=auth/munge",
                f"AuthInfo=socket={self.sockets}/munge",
                "DbdHost=localhost",
                f"DbdPort={self.port + 1}",
                "SlurmUser=root",
                f"PidFile={self.sockets}/slurmdbd.pid",
                "StorageType=accounting_storage/mysql",
                "StorageHost=localhost",
                "StorageUser=root",
                "StorageLoc=slurm_acct_db",
            ],
        )
        self._spawn("slurmdbd", ["slurmdbd", "-D"], MYSQL_UNIX_PORT=str(sock))
        self._wait("slurmdbd", lambda: self._ran("sacctmgr", "-n", "list", "cluster"), 60)
        for entry in ("account lab", "user root account=lab"):
            self._ran("sacctmgr", "-i", "-Q", "add", *entry.split())

    # --------------------------------------------------------------------------------------------------- processes

    def _spawn(self, name: str, command: list[str], **environment: str) -> None:
        with open(self.state / "log" / f"{name}.log", "a") as log:
            process = subprocess.Popen(
                command, stdin=subprocess.DEVNULL, stdout=log, stderr=log, cwd="/", start_new_session=True,
                env={k: v for k, v in os.environ.items() if not k.startswith("SLURM")} | environment,
            )  # fmt: skip
        self._remember(name, process.pid)

    def _remember(self, name: str, pid: int) -> None:
        (self.state / "processes.json").write_text(json.dumps(self._known() | {name: [pid, started(pid)]}))

    def _known(self) -> dict[str, list[int]]:
        file = self.state / "processes.json"
        return json.loads(file.read_text()) if file.exists() else {}

    def _daemons(self) -> list[str]:
        return [name for name in self._known() if name != "owner" and self._alive(name)]

    def _alive(self, name: str) -> int | None:
        """Process id of a daemon that we started, or of the owner, if it still runs."""
        pid, since = self._known().get(name, [0, 0])
        return pid if pid and started(pid) == since else None

    def _end(self, name: str, number: int = signal.SIGTERM) -> None:
        pid = self._alive(name)
        if pid is None:
            return
        os.kill(pid, number)
        if not self._wait(f"the end of {name}", lambda: self._alive(name) is None, 15, must=False):
            os.kill(pid, signal.SIGKILL)
            self._wait(f"the end of {name}", lambda: self._alive(name) is None, 15)

    def _all_idle(self) -> bool:
        nodes = self._said("sinfo", "-h", "-N", "-o", "%N %T").splitlines()
        return len(set(nodes)) == self.nodes + self.fragile and all(node.endswith(" idle") for node in nodes)

    def _said(self, *command: str) -> str:
        result = subprocess.run(command, capture_output=True, text=True, timeout=60)
        return result.stdout if result.returncode == 0 else ""

    def _ran(self, *command: str) -> bool:
        return subprocess.run(command, capture_output=True, timeout=60).returncode == 0

    def _wait(self, what: str, done: Callable[[], bool], seconds: float, *, must: bool = True) -> bool:
        end = time.monotonic() + seconds
        while not done():
            if time.monotonic() > end:
                if must:
                    raise OneHostError(f"{what} did not come within {seconds:.0f} s; see {self.state}/log")
                return False
            time.sleep(0.2)
        return True


def refuse_foreign_slurm() -> None:
    """Leave a SLURM of the host's own alone.

    Raises:
        OneHostError: there is one.
    """
    own = [str(ETC / name) for name in LINKS if (ETC / name).exists() and not (ETC / name).is_symlink()]
    own += ["SLURM_CONF"] if "SLURM_CONF" in os.environ else []
    if own:
        raise OneHostError(f"{own[0]} is there: this host has a SLURM of its own, which is left alone")


def linked_states() -> set[Path]:
    """State folders that SLURM's configuration on this host is linked from."""
    return {Path(os.readlink(ETC / name)).parent for name in LINKS if (ETC / name).is_symlink()}


def install(packages: tuple[str, ...]) -> None:
    """Install the Debian packages that are missing, without starting what they bring."""
    query = ["dpkg-query", "-W", "-f", "${db:Status-Status}"]
    missing = [p for p in packages if subprocess.run([*query, p], capture_output=True, text=True).stdout != "installed"]
    if not missing:
        return
    policy = Path("/usr/sbin/policy-rc.d")
    ours = not policy.exists()
    if ours:
        policy.write_text("#!/bin/sh\nexit 101\n")
        policy.chmod(0o755)
    try:
        environment = os.environ | {"DEBIAN_FRONTEND": "noninteractive"}
        subprocess.run(["apt-get", "update", "-qq"], check=True, env=environment, capture_output=True)
        command = ["apt-get", "install", "-y", "-qq", "--no-install-recommends", *missing]
        result = subprocess.run(command, env=environment, capture_output=True, text=True)
    finally:
        if ours:
            policy.unlink()
    if result.returncode:
        raise OneHostError(f"apt-get install {' '.join(missing)} failed:\n{result.stderr[-1000:]}")


def started(pid: int) -> int:
    """When a process was started, in clock ticks; 0 for one that does not run (any more)."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    except (OSError, IndexError):
        return 0
    return 0 if fields[0] == "Z" else int(fields[19])


def of_cluster() -> list[int]:
    """Processes that jobs of this cluster started, and those that look after them."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            ours = f"SLURM_CLUSTER_NAME={CLUSTER}".encode() in (folder / "environ").read_bytes().split(b"\0")
            if ours or (folder / "comm").read_text().strip() == "slurmstepd":
                found.append(int(folder.name))
    return [pid for pid in found if pid != os.getpid()]


def on_node(pid: int, node: str, jobs: list[str]) -> bool:
    """A process runs on this node: as part of a job, or looking after one of these jobs."""
    with contextlib.suppress(OSError):
        if f"SLURMD_NODENAME={node}".encode() in Path(f"/proc/{pid}/environ").read_bytes().split(b"\0"):
            return True
        command = Path(f"/proc/{pid}/cmdline").read_text()
        return any(f"slurmstepd: [{job}." in command for job in jobs)
    return False


def end_processes(pids: list[int]) -> None:
    """SIGKILL each of these processes that still runs."""
    for pid in pids:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)


def main() -> None:
    """Command line."""
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("what", choices=["start", "stop"])
    arguments.add_argument("state", type=Path)
    arguments.add_argument("--accounting", action="store_true")
    options = arguments.parse_args()
    host = OneHost(options.state, accounting=options.accounting)
    try:
        host.start() if options.what == "start" else host.stop()
    except OneHostError as error:
        sys.exit(f"onehost: {error}")


if __name__ == "__main__":
    main()
