"""nbgrader's formgrader opens the course folder, and a person's points there become the mark."""

import json
import os
import secrets
import socket
import subprocess
import sys
import urllib.error
import urllib.request

import course_bank
import pytest
from softlookup_coursework.assignments.assignment import Assignment
from softlookup_coursework.feedback import autograded
from softlookup_coursework.grading import gradebook
from waiting import wait_for

EXTENSION = "{'nbgrader.server_extensions.formgrader': True}"


@pytest.fixture
def course(tmp_path):
    made = course_bank.make_course(tmp_path)
    for student, essay in {"ada": "It cancels.", "max": "I do not know."}.items():
        course_bank.put(made, student, scale=float(student == "ada"))
        text = course_bank.hand_in(made.folder, essay=essay)
        (made.results("scales", student) / "graded.ipynb").write_text(text)
    gradebook.record(made, "scales")
    autograded.publish(made.folder, Assignment.load(made.assignment("scales")))
    return made


@pytest.fixture
def ask(course, tmp_path):
    """Requests a page from formgrader, as it runs in the course folder."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    token = secrets.token_hex(8)
    command = [sys.executable, "-m", "jupyter", "server", "--no-browser", "--allow-root"]
    command += ["--ip=127.0.0.1", f"--port={port}", f"--IdentityProvider.token={token}"]
    command += [f"--ServerApp.jpserver_extensions={EXTENSION}"]
    own = {name: str(tmp_path / name) for name in ("JUPYTER_CONFIG_DIR", "JUPYTER_RUNTIME_DIR")}

    def get(path, **entered):
        content = json.dumps(entered).encode() if entered else None
        request = urllib.request.Request(
            f"http://127.0.0.1:{port}/formgrader/{path}", content,
            {"Authorization": f"token {token}"}, method="PUT" if entered else "GET",
        )  # fmt: skip
        with urllib.request.urlopen(request, timeout=60) as reply:
            return reply.read().decode()

    def answers():
        assert server.poll() is None, (tmp_path / "server.log").read_text()
        try:
            return get("api/assignments")
        except (urllib.error.URLError, ConnectionError):
            return ""

    with (tmp_path / "server.log").open("w") as log:
        server = subprocess.Popen(
            command, cwd=course.folder, env={**os.environ, **own}, stdout=log, stderr=log
        )
        try:
            wait_for(answers)
            yield get
        finally:
            server.terminate()
            server.wait(60)


def test_formgrader_shows_the_submissions_and_accepts_a_persons_points(course, ask):
    (assignment,) = json.loads(ask("api/assignments"))
    assert (assignment["name"], assignment["max_score"]) == ("scales", 6.0)
    assert "gradebook_notebook_submissions.js" in ask("gradebook/scales/scales")
    listed = json.loads(ask("api/submitted_notebooks/scales/scales"))
    submitted = {one["student"]: one for one in listed}
    assert {who: one["score"] for who, one in submitted.items()} == {"ada": 3.0, "max": 2.0}
    assert all(one["needs_manual_grade"] for one in listed)

    page = ask(f"submissions/{submitted['max']['id']}/")
    assert "I do not know." in page
    assert "Full marks: says that the factor" in page
    assert 'id="essay"' in page
    assert ">Resolve</button>" in page  # which a message of the export names

    grades = json.loads(ask(f"api/grades?submission_id={submitted['max']['id']}"))
    essay = next(grade for grade in grades if grade["name"] == "essay")
    ask(f"api/grade/{essay['id']}", manual_score=1.5, extra_credit=None)
    comments = json.loads(ask(f"api/comments?submission_id={submitted['max']['id']}"))
    comment = next(comment for comment in comments if comment["name"] == "essay")
    ask(f"api/comment/{comment['id']}", manual_comment="Look at the quotient.")

    gradebook.record(course, "scales")
    marks = {mark.student: mark for mark in gradebook.marks(course.folder, ["scales"])}
    assert (marks["max"].by_hand, marks["max"].earned) == (1.5, 3.5)
    assert "Look at the quotient." in [remark.comment for remark in marks["max"].remarks]
    assert marks["ada"].waits
