"""A client of the HTTP interface with the engine's own signatures."""
