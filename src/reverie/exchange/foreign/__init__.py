"""What other memories hold, as messages: one file a program, each with the form its own export or database has."""
