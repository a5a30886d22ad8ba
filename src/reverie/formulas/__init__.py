"""Pure formulas, one a file: numbers in, numbers out; no I/O, no clock, no chance."""
