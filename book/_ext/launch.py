"""Every link to the repository, from one setting: ``repository.url`` in ``_config.yml``.

With an address, chapters get buttons that open them in Colab (only for GitHub) and Binder, and
every page one that leads to the source; the welcome page says how to use them. Without one,
there are none.
"""

from urllib.parse import urlsplit

from sphinx.application import Sphinx
from sphinx.config import Config
from sphinx.errors import ConfigError

HOSTS = ("github.com", "gitlab.com")


def theme_options(address: str) -> dict[str, object]:
    """The theme's options that follow from the repository's address.

    Raises:
        ConfigError: if the address is not that of a repository on a known host.
    """
    if not address:
        return {"repository_url": "", "use_repository_button": False, "launch_buttons": {}}
    parts = urlsplit(address)
    if (
        parts.scheme != "https"
        or parts.netloc not in HOSTS
        or parts.path.strip("/").count("/") != 1
    ):
        raise ConfigError(
            f"repository.url is {address!r}; expected https://HOST/OWNER/NAME "
            f"with one of the hosts {HOSTS}"
        )
    launch = {"notebook_interface": "jupyterlab", "binderhub_url": "https://mybinder.org"}
    if parts.netloc == "github.com":
        launch["colab_url"] = "https://colab.research.google.com"
    return {
        "repository_url": address.rstrip("/"),
        "repository_provider": parts.netloc.removesuffix(".com"),
        "use_repository_button": True,
        "launch_buttons": launch,
    }


def apply(app: Sphinx, config: Config) -> None:
    """Set the options before the theme reads them."""
    address = config.html_theme_options.get("repository_url") or ""
    config.html_theme_options.update(theme_options(address))
    if address:
        app.tags.add("repository")
    install = f"```\n%pip install git+{address.rstrip('/')}\n```"
    config.myst_substitutions["install_library"] = install if address else ""


def setup(app: Sphinx) -> dict[str, bool]:
    """Called by Sphinx."""
    app.connect("config-inited", apply, priority=100)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
