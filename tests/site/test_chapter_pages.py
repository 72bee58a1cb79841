"""The chapters in a real browser: at a desk and on a telephone, in light and in dark.

They take longest, so they stand in a file of their own, which another process can take.
"""

import pytest
from built import SITE, is_chapter, pages
from reading import read_as_all


@pytest.mark.site
@pytest.mark.parametrize("page", [name for name in pages() if is_chapter(name)])
def test_nothing_is_wrong_with_the_chapter(browser, page):
    faults = read_as_all(browser, SITE / page)
    assert not faults, "\n".join(faults)
