"""The HTTP interface, and the dashboard it serves."""
