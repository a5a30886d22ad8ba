"""Mixed lives of made-up people, written by several hands without sight of the code; in three parts by hand."""
