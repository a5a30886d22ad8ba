"""The vault benchmark: how long search and maintenance of a folder of observations take."""
