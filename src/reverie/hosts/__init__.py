"""Installation into other programs (hosts) so that they use Reverie: one module for each program."""
