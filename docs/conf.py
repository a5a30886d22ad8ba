"""Settings of the documentation's build: Sphinx, pages in MyST Markdown, the furo theme, the API read off the code."""

from __future__ import annotations

from datetime import date
from importlib.metadata import version as installed_version

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

html_theme = "furo"
html_title = f"Reverie {release}"
html_show_sphinx = False
today = date(2026, 1, 1).isoformat()  # no build date: the same sources give the same pages
