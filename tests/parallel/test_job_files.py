"""The files for clusters ask for as many machines as they start, and start the script alike.

There is no cluster in a test. So the scripts run with the variables that Slurm and Kubernetes set
and with a torchrun that only tells its arguments, and the Job is held to Kubernetes' schema.
"""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).parents[2]
CLUSTER = ROOT / "benchmarks" / "cluster"
SERVICE, JOB = yaml.safe_load_all((CLUSTER / "kubernetes_train.yaml").read_text())
SCHEMA = ROOT / "tests" / "coursework" / "kubernetes" / "job-batch-v1.json"
# Options from `man sbatch`, with the form of each value.
SLURM = {
    "job-name": r"[\w-]+",
    "nodes": r"\d+",
    "ntasks-per-node": r"1",  # torchrun starts the workers of a machine itself
    "cpus-per-task": r"\d+",
    "mem": r"\d+[KMGT]?",
    "time": r"(\d+-)?\d{2}:\d{2}:\d{2}",
    "requeue": r"",
    "output": r"[\w.%-]+",
}
FAKES = {
    "torchrun": '[ "$TORCH_DISABLE_SHARE_RDZV_TCP_STORE" = 1 ] && printf "%s\\n" "$@"',
    "scontrol": 'echo machine-3; echo machine-4; [ "$*" = "show hostnames machine-[3-4]" ]',
    "srun": 'exec "$@"',
}


@pytest.fixture
def told(tmp_path):
    """From a script, its arguments and an environment to the arguments of torchrun."""
    for name, script in FAKES.items():
        (tmp_path / name).write_text(f"#!/bin/bash\n{script}\n")
        (tmp_path / name).chmod(0o755)

    def run(command, **variables):
        path = f"{tmp_path}:{os.environ['PATH']}"
        bare = {"PATH": path, **variables}
        done = subprocess.run(command, env=bare, capture_output=True, text=True, check=False)
        return done.stdout.splitlines() if done.returncode == 0 else done.stderr

    return run


def expected(nodes, run_id, endpoint, *rest):
    return [
        f"--nnodes={nodes}",
        "--nproc-per-node=auto",
        "--max-restarts=3",
        "--rdzv-backend=c10d",
        f"--rdzv-id={run_id}",
        f"--rdzv-endpoint={endpoint}",
        *("-m", "softlookup.parallel.resumable", *rest),
    ]


def test_slurm_starts_torchrun_on_each_machine_and_they_meet_at_the_first(told):
    arguments = told(
        [CLUSTER / "slurm_train.sh", "/shared/a run", "--steps", "9"],
        SLURM_JOB_ID="123456",
        SLURM_JOB_NUM_NODES="2",
        SLURM_JOB_NODELIST="machine-[3-4]",
        SLURM_SUBMIT_DIR=str(ROOT),
    )
    rest = ("/shared/a run", "--steps", "9")
    assert arguments == expected(2, 123456, "machine-3:23456", *rest)


def test_slurm_is_asked_by_options_that_it_has():
    asked = re.findall(
        r"^#SBATCH --([\w-]+)=?(.*)$", (CLUSTER / "slurm_train.sh").read_text(), re.M
    )
    assert [name for name, _ in asked] == [*SLURM]
    for name, value in asked:
        assert re.fullmatch(SLURM[name], value), name


def test_kubernetes_starts_the_same(told):
    (container,) = JOB["spec"]["template"]["spec"]["containers"]
    script, *arguments = container["command"]
    variables = {each["name"]: each["value"] for each in container["env"]}
    given = told([CLUSTER / script, *arguments], **variables)
    assert given == expected(2, "train", "train-0.train:29400", *arguments)
    (folder,) = (m for m in container["volumeMounts"] if m["name"] == "run")
    assert arguments[0] == folder["mountPath"]


def test_the_pods_have_the_names_by_which_they_meet():
    spec = JOB["spec"]
    (container,) = spec["template"]["spec"]["containers"]
    variables = {each["name"]: each["value"] for each in container["env"]}
    name, service = JOB["metadata"]["name"], SERVICE["metadata"]["name"]
    assert variables["ENDPOINT"].partition(":")[0] == f"{name}-0.{service}"
    assert spec["template"]["spec"]["subdomain"] == service
    assert SERVICE["spec"] == {
        "clusterIP": "None",
        "publishNotReadyAddresses": True,
        "selector": {"job-name": name},
    }
    assert spec["completionMode"] == "Indexed"
    # All at once: each waits for the others.
    assert spec["completions"] == spec["parallelism"] == int(variables["NODES"])


def test_the_job_matches_kubernetes_schema(tmp_path):
    path = tmp_path / "job.json"
    for job, right in ((JOB, True), ({**JOB, "spec": {"completions": 2}}, False)):
        path.write_text(json.dumps(job))
        command = [sys.executable, "-m", "check_jsonschema", "--schemafile", SCHEMA, path]
        assert (subprocess.run(command, capture_output=True).returncode == 0) is right


def test_a_machine_that_is_not_told_where_all_meet_says_so(told):
    said = told([CLUSTER / "train_node.sh", "/shared/run"], NODES="2", RUN_ID="7")
    assert "ENDPOINT: unbound variable" in said
