"""``softlookup-coursework``: from a release to the marks, a command for each step.

Each prints a short table of what it did. Its exit status is 0 if all is well, 1 if something
needs a person, which it lists, and 2 after a usage error.
"""

import sys

import typer

from softlookup_coursework.commands import checking, comparing, giving, marking, returning
from softlookup_coursework.commands.options import NEEDS_A_HUMAN, USAGE_ERROR
from softlookup_coursework.commands.tables import complain, say, table
from softlookup_coursework.common.usage_error import UsageError, disk_fault
from softlookup_coursework.sandbox.zygote import NoSandbox

app = typer.Typer(
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    help="Hand out, collect and grade the assignments of the course, and return the marks.",
)


def doctor() -> None:
    """Say what this machine has and lacks to grade safely.

    Example: softlookup-coursework doctor
    """
    from softlookup_coursework.commands.machine import facts, not_held

    found = facts()
    rows = [(fact.name, "yes" if fact.fine else "NO", fact.found, fact.remedy) for fact in found]
    table("This machine", ["what", "fine", "found", "what to do"], rows)
    lacking = not_held()
    for what in lacking:
        say(f"Not held by the kernel here: {what}.")
    if lacking:
        say(
            "With a control group of version 2 that is yours it holds everything: put `systemd-run "
            "--user --scope --property=Delegate=yes` before the command."
        )
    say(
        "To grade on a cluster, its workers need all this too, and the same version of this "
        "package; they need no shared disk."
    )
    if not all(fact.fine for fact in found):
        raise typer.Exit(NEEDS_A_HUMAN)


for command in (
    giving.release,
    giving.collect,
    marking.grade,
    returning.feedback,
    returning.export,
    comparing.likeness,
    marking.one,
    checking.template,
    checking.check,
    doctor,
):
    app.command()(command)


def main() -> None:
    """Run the command line."""
    try:
        app()
    except UsageError as error:
        complain(str(error))
        sys.exit(USAGE_ERROR)
    except OSError as error:
        if not (fault := disk_fault(error)):
            raise
        complain(fault)
        sys.exit(NEEDS_A_HUMAN)
    except NoSandbox as error:
        complain(f"nothing more was graded: {error}")
        say("`softlookup-coursework doctor` says what this machine lacks.")
        sys.exit(NEEDS_A_HUMAN)


if __name__ == "__main__":
    main()
