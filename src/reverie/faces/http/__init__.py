"""The HTTP interface: in, requests; out, what the engine answers, as JSON, and the dashboard's files."""
