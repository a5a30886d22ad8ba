"""The vault's stand-alone scripts, each made one file out of the package's own source."""
