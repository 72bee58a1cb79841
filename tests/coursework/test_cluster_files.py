"""The files for clusters: the Job matches Kubernetes' schema, and the shares cover the class.

There is no cluster in a test. So the script is run with the variables that Slurm and Kubernetes
set, and the Job is checked against the schema and against the script.
"""

import copy
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import hostile_bank as bank
import jsonschema
import pytest
import yaml
from softlookup_coursework.assignments.course import Course
from softlookup_coursework.common.limits import MEBIBYTE, RunLimits
from softlookup_coursework.common.verdicts import Result, Verdict

ROOT = Path(__file__).parents[2]
CLUSTER = ROOT / "tools" / "cluster"
SCRIPT = CLUSTER / "grade_share.sh"
JOB = yaml.safe_load((CLUSTER / "kubernetes_job.yaml").read_text())
SCHEMA = Path(__file__).parent / "kubernetes" / "job-batch-v1.json"
# Options from `man sbatch`, with the form of each value.
SLURM = {
    "job-name": r"[\w-]+",
    "array": r"\d+-\d+(%\d+)?",
    "cpus-per-task": r"\d+",
    "mem": r"\d+[KMGT]?",
    "time": r"(\d+-)?\d{2}:\d{2}:\d{2}",
    "output": r"[\w.%-]+",
}


def faults(job):
    """The places where a Job breaks the schema, as dotted paths."""
    schema = json.loads(SCHEMA.read_text())
    judge = jsonschema.validators.validator_for(schema)
    judge.check_schema(schema)
    return [error.json_path.removeprefix("$.") for error in judge(schema).iter_errors(job)]


def container(job):
    (only,) = job["spec"]["template"]["spec"]["containers"]
    return only


def test_the_kubernetes_job_matches_its_schema():
    assert faults(JOB) == []


@pytest.mark.parametrize(
    ("where", "plant"),
    [
        ("spec", lambda job: job["spec"].update(completion_mode="Indexed")),
        ("spec.completions", lambda job: job["spec"].update(completions="a hundred")),
        ("spec", lambda job: job["spec"].pop("template")),
        ("spec.template.spec", lambda job: job["spec"]["template"]["spec"].update(image="x")),
        (
            "spec.template.spec.containers[0].securityContext",
            lambda job: container(job)["securityContext"].update(procmount="Unmasked"),
        ),
        ("kind", lambda job: job.update(kind="CronJob")),
    ],
)
def test_a_fault_in_a_job_is_found(where, plant):
    job = copy.deepcopy(JOB)
    plant(job)
    assert where in faults(job)


def test_the_job_makes_one_pod_per_share_and_runs_the_script():
    spec = JOB["spec"]
    assert spec["completionMode"] == "Indexed"
    assert container(JOB)["env"] == [{"name": "SHARES", "value": str(spec["completions"])}]
    assert container(JOB)["command"][0] == SCRIPT.name
    assert f"COPY tools/cluster/{SCRIPT.name} " in (CLUSTER / "Containerfile").read_text()


def test_a_pod_mounts_only_what_it_needs():
    pod = JOB["spec"]["template"]["spec"]
    assert pod["automountServiceAccountToken"] is False
    assert pod["hostUsers"] is False  # otherwise Kubernetes refuses an unmasked /proc
    assert pod["securityContext"]["runAsNonRoot"] is True
    assert container(JOB)["securityContext"]["capabilities"] == {"drop": ["ALL"]}
    mounted = {mount["mountPath"]: mount for mount in container(JOB)["volumeMounts"]}
    assert "/course" not in mounted  # which holds the term's seed and the gradebook
    assert mounted["/course/assignments"]["readOnly"] is True
    assert mounted["/course/collected"]["readOnly"] is True


def test_the_files_that_the_image_copies_exist():
    copied = re.findall(r"^COPY (.+) \S+$", (CLUSTER / "Containerfile").read_text(), re.M)
    assert copied
    for name in " ".join(copied).split():
        assert (ROOT / name).exists(), name


def options():
    """The script's options for Slurm."""
    return dict(re.findall(r"^#SBATCH --([\w-]+)=(\S+)$", SCRIPT.read_text(), re.M))


def test_the_slurm_options_are_valid():
    lines = [line for line in SCRIPT.read_text().splitlines() if line.startswith("#SBATCH")]
    assert len(options()) == len(lines)
    for name, value in options().items():
        assert re.fullmatch(SLURM[name], value), name
    # Slurm reads its options only above the first command.
    head = SCRIPT.read_text().split("\nset ")[0]
    assert head.count("#SBATCH") == len(lines)


def test_both_clusters_give_each_share_enough_memory():
    given = 4 * 1024 * MEBIBYTE
    assert options()["mem"] == "4G"
    assert container(JOB)["resources"]["limits"]["memory"] == "4Gi"
    # A submission at its limit, and beside it the grader with torch.
    assert RunLimits().memory_bytes + 1024 * MEBIBYTE < given


def test_the_script_is_well_formed():
    assert subprocess.run(["bash", "-n", SCRIPT], check=False).returncode == 0
    assert os.access(SCRIPT, os.X_OK)


@pytest.fixture
def course(tmp_path):
    """A course folder with one assignment and three students; one handed in no notebook at all."""
    assignment = tmp_path / "assignments" / "attention"
    assignment.mkdir(parents=True)
    bank.write_assignment(assignment)
    (assignment / "term.json").write_text(json.dumps({"parameters": {}, "seed": 5}))
    Course.make(tmp_path, "a word")
    for number in range(3):
        folder = tmp_path / "collected" / "attention" / f"student {number}"
        bank.write_submission(folder, bank.cells() if number != 1 else b"no notebook")
    return tmp_path


def run(command, course, **variables):
    """Run a command with this environment's programs and a cluster's variables."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    environment = {"PATH": path, "HOME": str(course), "COLUMNS": "200", **variables}
    return subprocess.run(
        command, env=environment, cwd=course, capture_output=True, text=True, timeout=600
    )


def run_share(course, **variables):
    """Run the script as a cluster does."""
    return run([SCRIPT, course, "attention"], course, **variables)


def graded(course):
    return {
        path.parent.name: Result.read(path)
        for path in sorted((course / "results").rglob("result.json"))
    }


def test_the_shares_of_a_slurm_array_grade_every_submission_once(course):
    shares = [
        {"SLURM_ARRAY_TASK_ID": str(number), "SLURM_ARRAY_TASK_COUNT": "2"} for number in range(2)
    ]
    first = run_share(course, **shares[0])
    assert first.returncode == 0, first.stderr
    before = graded(course)
    assert list(before) == ["student 0", "student 2"]
    second = run_share(course, **shares[1])
    assert second.returncode == 0, second.stderr
    after = graded(course)
    assert len(after) == 3
    assert {name: after[name] for name in before} == before
    assert after["student 1"].verdict is Verdict.UNREADABLE
    assert [after[f"student {n}"].earned for n in (0, 2)] == [8.0] * 2
    # A share that is started again, as clusters do, keeps its results.
    stamps = {path: path.stat().st_mtime_ns for path in (course / "results").rglob("result.json")}
    assert run_share(course, **shares[0]).returncode == 0
    assert {path: path.stat().st_mtime_ns for path in stamps} == stamps
    # The course records all of them in the gradebook, without grading any again.
    taken = run(["softlookup-coursework", "grade", "attention"], course)
    assert re.search(r"attention\W+3\W+3\W+2 graded, 1 unreadable", taken.stdout), taken.stdout
    assert {path: path.stat().st_mtime_ns for path in stamps} == stamps


def test_a_pod_grades_its_share(course):
    ran = run_share(course, JOB_COMPLETION_INDEX="1", SHARES="3")
    assert ran.returncode == 0, ran.stderr
    assert list(graded(course)) == ["student 1"]


def test_a_share_without_its_number_stops(course):
    ran = run_share(course, SHARES="3")
    assert ran.returncode != 0
    assert "set by Slurm or by Kubernetes" in ran.stderr
    assert graded(course) == {}
