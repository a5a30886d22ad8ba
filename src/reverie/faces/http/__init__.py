"""The HTTP interface: the engine's methods as routes with JSON answers, and the dashboard's files."""

from reverie.extras import require

require("serve", "The HTTP interface")
