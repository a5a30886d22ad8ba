"""What is written into other programs so that they use Reverie: one file a program."""
