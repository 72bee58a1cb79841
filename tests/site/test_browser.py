"""The finder of a browser: it finds what there is, and says what to do where there is none."""

import built  # noqa: F401 - puts tools on the path

import browser  # isort: skip


def test_a_browser_on_the_path_is_found(tmp_path, monkeypatch):
    fake = tmp_path / "google-chrome"
    fake.write_text("#!/bin/sh\n")
    fake.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(browser, "MAC_APPLICATIONS", ())
    assert browser.find_browser() == fake


def test_none_is_none(tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setenv("PLAYWRIGHT_BROWSERS_PATH", str(tmp_path))
    monkeypatch.setattr(browser, "MAC_APPLICATIONS", ())
    assert browser.find_browser() is None


def test_the_newcomer_is_told_what_to_do(monkeypatch, capsys):
    class Failed:
        returncode = 1

    monkeypatch.setattr(browser, "find_browser", lambda: None)
    monkeypatch.setattr(browser.subprocess, "run", lambda *args, **kwargs: Failed())
    assert browser.main() == 1
    said = capsys.readouterr()
    assert "Playwright fetches one" in said.out
    assert "apt-get install chromium" in said.err


def test_only_root_gives_up_the_sandbox(monkeypatch):
    monkeypatch.setattr(browser.os, "geteuid", lambda: 1000, raising=False)
    assert "--no-sandbox" not in browser.arguments()
    monkeypatch.setattr(browser.os, "geteuid", lambda: 0, raising=False)
    assert "--no-sandbox" in browser.arguments()
