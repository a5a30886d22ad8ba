"""Settings of the documentation's build: Sphinx, pages in MyST Markdown, the furo theme, the API read off the code."""

from __future__ import annotations

import tomllib
from datetime import date
from importlib.metadata import version as installed_version
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx

project = "Reverie"
author = "The Reverie contributors"
copyright = "2026, The Reverie contributors"  # noqa: A001 — the name Sphinx reads
release = installed_version("reverie")
version = release

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon", "sphinx.ext.viewcode"]
exclude_patterns = ["_build"]
nitpicky = False  # types of numpy and the standard library are not linked: the build asks no network for their indexes

myst_enable_extensions = ["colon_fence", "deflist"]
myst_heading_anchors = 3

autodoc_member_order = "bysource"
autodoc_typehints = "signature"
autodoc_typehints_format = "short"
autodoc_default_options = {"members": True, "undoc-members": False}
napoleon_google_docstring = True
napoleon_use_ivar = True  # an attribute told of in a class is described once, with its field
napoleon_numpy_docstring = False

smartquotes_action = "qe"  # quotes and ellipses, not dashes: `--` begins an option

html_theme = "furo"
html_theme_options = {"top_of_page_buttons": []}  # the sources are in the repository
html_title = f"Reverie {release}"
html_show_sphinx = False
html_copy_source = False
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_js_files = ["site.js"]
html_search_scorer = str(Path(__file__).parent / "_static" / "scorer.js")
today = date(2026, 1, 1).isoformat()  # no build date: the same sources give the same pages

KEYWORDS: dict[str, str] = tomllib.loads((Path(__file__).parent / "keywords.toml").read_text(encoding="utf-8"))


def add_keywords(app: Sphinx, doctree: nodes.document) -> None:
    """Let the search find a page by words that its text does not use."""
    if words := KEYWORDS.get(app.env.docname):
        doctree += nodes.meta(name="keywords", content=words)


def mend_headings(_app: Sphinx, _page: str, _template: str, context: dict[str, Any], _doctree: object) -> None:
    """Give the captions of the list of pages the level that a heading needs."""
    for part in ("furo_navigation_tree", "body"):
        if part in context:
            context[part] = context[part].replace('role="heading"', 'role="heading" aria-level="2"')


def setup(app: Sphinx) -> None:
    """Connect the two to the build; the second after the theme has made its list of pages."""
    app.connect("doctree-read", add_keywords)
    app.connect("html-page-context", mend_headings, priority=900)
