"""Links to the repository: none without its address, and right ones with it."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from built import ROOT, built_page, pages
from sphinx.errors import ConfigError

import launch  # isort: skip

ADDRESS = "https://github.com/someone/soft-lookup"
BUILD = ("--warningiserror", "--nitpick", "--keep-going", "--quiet")


def build(folder):
    """Build a copy of the book as ``make book`` does.

    Returns:
        The exit status, and everything that was said.
    """
    program = Path(sys.executable).with_name("jupyter-book")
    command = [str(program), "build", str(folder), *BUILD]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return done.returncode, done.stdout + done.stderr


@pytest.fixture(scope="module")
def book_with_address(tmp_path_factory):
    """The book, built with the address of a repository."""
    folder = tmp_path_factory.mktemp("book")
    # The book itself, and what its pages show of the rest.
    for name in ("book", "notebooks", "tools/cluster", "tests/coursework/bank"):
        shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns(".*"))
    shutil.copy(ROOT / "_toc.yml", folder)
    config = (ROOT / "_config.yml").read_text(encoding="utf-8")
    assert config.count('\n  url: ""') == 1
    config = config.replace('\n  url: ""', f'\n  url: "{ADDRESS}"')
    (folder / "_config.yml").write_text(config, encoding="utf-8")
    status, said = build(folder)
    assert status == 0, said
    return folder


def outside_links(page):
    """The links of a page's buttons that lead off the site."""
    found = page.soup.select(".bd-header-article a[href^=http], .bd-header-article a[href^='//']")
    return [str(link["href"]) for link in found]


@pytest.mark.site
def test_without_an_address_no_button_leads_off_the_site(site):
    for name in pages(site):
        assert outside_links(built_page(site / name)) == [], name
    assert "Colab" not in built_page(site / "book/index.html").soup.article.get_text()


@pytest.mark.site
def test_with_an_address_each_chapter_opens_where_it_should(book_with_address):
    site = book_with_address / "_build" / "html"
    chapters = [name for name in pages(site) if name.startswith("notebooks/")]
    assert chapters
    for name in chapters:
        notebook = name.replace(".html", ".ipynb")
        links = outside_links(built_page(site / name))
        colab = f"https://colab.research.google.com/github/someone/soft-lookup/blob/main/{notebook}"
        binder = "https://mybinder.org/v2/gh/someone/soft-lookup/main?urlpath=lab/tree/" + notebook
        assert sorted(links) == sorted([colab, binder, ADDRESS])
    welcome = built_page(site / "book/index.html").soup.article.get_text()
    assert f"%pip install git+{ADDRESS}" in welcome


@pytest.mark.site
def test_a_broken_reference_fails_the_build(book_with_address):
    page = book_with_address / "book" / "glossary.md"
    page.write_text(page.read_text(encoding="utf-8") + "\n[Lost](nowhere.md)\n", encoding="utf-8")
    status, said = build(book_with_address)
    assert status != 0
    assert "nowhere.md" in said


@pytest.mark.parametrize(
    "address",
    ["http://github.com/a/b", "https://example.org/a/b", "https://github.com/a", "github.com/a/b"],
)
def test_an_address_that_would_not_work_is_refused(address):
    with pytest.raises(ConfigError, match="expected https://HOST/OWNER/NAME"):
        launch.theme_options(address)


def test_colab_opens_notebooks_from_github_only():
    assert "colab_url" in launch.theme_options(ADDRESS)["launch_buttons"]
    gitlab = launch.theme_options("https://gitlab.com/someone/soft-lookup")
    assert "colab_url" not in gitlab["launch_buttons"]
    assert gitlab["repository_provider"] == "gitlab"
