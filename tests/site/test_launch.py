"""Links to the repository: none without its address, and right ones with it."""

import re
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest
import yaml
from built import EXTENSIONS, ROOT, built_page, pages
from sphinx.errors import ConfigError

import launch  # isort: skip

ADDRESS = "https://github.com/someone/soft-lookup"
BUILD = ("--warningiserror", "--nitpick", "--keep-going", "--quiet")


def build(folder):
    """Build a book as ``make book`` does.

    Returns:
        The exit status, and everything that was said.
    """
    program = Path(sys.executable).with_name("jupyter-book")
    command = [str(program), "build", str(folder), *BUILD]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return done.returncode, done.stdout + done.stderr


@pytest.fixture(scope="module")
def small_site(tmp_path_factory):
    """A chapter and what the welcome page says of the repository, built with its address.

    The settings are the book's; of its extensions only the one that is tried.
    """
    folder = tmp_path_factory.mktemp("book")
    welcome = (ROOT / "book" / "index.md").read_text(encoding="utf-8")
    ((fence, said),) = re.findall(r"^(`+)(\{only\} repository\n.*?^)\1$", welcome, re.M | re.S)
    (folder / "book").mkdir()
    (folder / "book" / "index.md").write_text(f"# Welcome\n\n{fence}{said}{fence}\n", "utf-8")
    chapter = nbformat.v4.new_notebook(cells=[nbformat.v4.new_markdown_cell("# A chapter")])
    (folder / "notebooks").mkdir()
    nbformat.write(chapter, folder / "notebooks" / "chapter.ipynb")
    toc = "format: jb-book\nroot: book/index\nchapters:\n- file: notebooks/chapter\n"
    (folder / "_toc.yml").write_text(toc, encoding="utf-8")
    config = yaml.safe_load((ROOT / "_config.yml").read_text(encoding="utf-8"))
    assert config["repository"]["url"] == ""
    config["repository"]["url"] = ADDRESS
    # What lies elsewhere in the book.
    del config["logo"], config["html"]["favicon"], config["bibtex_bibfiles"]
    settings = config["sphinx"]
    settings["local_extensions"] = {"launch": str(EXTENSIONS)}
    others = "html_static_path html_css_files html_js_files html_math_renderer bibtex_default_style"
    for name in others.split():
        del settings["config"][name]
    (folder / "_config.yml").write_text(yaml.safe_dump(config), encoding="utf-8")
    status, output = build(folder)
    assert status == 0, output
    return folder / "_build" / "html"


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
def test_with_an_address_a_chapter_opens_where_it_should(small_site):
    links = outside_links(built_page(small_site / "notebooks/chapter.html"))
    notebook = "notebooks/chapter.ipynb"
    colab = f"https://colab.research.google.com/github/someone/soft-lookup/blob/main/{notebook}"
    binder = "https://mybinder.org/v2/gh/someone/soft-lookup/main?urlpath=lab/tree/" + notebook
    assert sorted(links) == sorted([colab, binder, ADDRESS])
    welcome = built_page(small_site / "book/index.html").soup.article.get_text()
    assert f"%pip install git+{ADDRESS}" in welcome


@pytest.mark.parametrize(("words", "is_sound"), [("Words.", True), ("[Lost](nowhere.md)", False)])
def test_a_broken_reference_fails_the_build(tmp_path, words, is_sound):
    (tmp_path / "page.md").write_text(f"# A page\n\n{words}\n", encoding="utf-8")
    (tmp_path / "_toc.yml").write_text("format: jb-book\nroot: page\n", encoding="utf-8")
    (tmp_path / "_config.yml").write_text("title: Small\n", encoding="utf-8")
    status, said = build(tmp_path)
    assert (status == 0) is is_sound, said
    assert is_sound or "nowhere.md" in said


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
