"""Find the Chromium that the site's tests drive, or fetch one.

    python tools/browser.py

Any Chromium or Chrome on the path will do, or one that Playwright has fetched before. If there
is none, Playwright fetches its own, which takes a minute and 300 MB in its cache folder.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

COMMANDS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
MAC = "/Applications/{0}.app/Contents/MacOS/{0}"
MAC_APPLICATIONS = tuple(MAC.format(name) for name in ("Chromium", "Google Chrome"))

WHERE_IT_FETCHES = """\
from playwright.sync_api import sync_playwright
with sync_playwright() as playwright:
    print(playwright.chromium.executable_path)
"""

ARGUMENTS = (
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
)

ADVICE = (
    "Install Chromium or Chrome so that one of these commands is found: "
    f"{', '.join(COMMANDS)} (on Debian and Ubuntu: apt-get install chromium), "
    "or run: python -m playwright install chromium"
)


def find_browser() -> Path | None:
    """The executable of a Chromium or Chrome on this computer; None if there is none."""
    for command in (*COMMANDS, *MAC_APPLICATIONS):
        found = shutil.which(command)
        if found:
            return Path(found)
    # In a process of its own: Playwright refuses to start twice in one.
    asked = subprocess.run(
        [sys.executable, "-c", WHERE_IT_FETCHES], check=True, capture_output=True, text=True
    )
    fetched = Path(asked.stdout.strip())
    return fetched if fetched.exists() else None


def arguments() -> list[str]:
    """The flags to start it with: it fetches nothing on its own account.

    Its sandbox refuses to run as root, which is who one is in most containers.
    """
    as_root = hasattr(os, "geteuid") and os.geteuid() == 0
    return [*ARGUMENTS, *(["--no-sandbox"] if as_root else [])]


def main() -> int:
    """Report the browser, or fetch one.

    Returns:
        The exit status: 0 if there is a browser now.
    """
    found = find_browser()
    if found is None:
        print("No Chromium or Chrome was found. Playwright fetches one now.", flush=True)
        fetch = [sys.executable, "-m", "playwright", "install", "chromium"]
        status = subprocess.run(fetch, check=False).returncode
        found = find_browser()
        if status != 0 or found is None:
            print(f"It could not be fetched (exit status {status}). {ADVICE}", file=sys.stderr)
            return 1
    print(f"The site is tested in {found}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
