"""Whole lives: a conversation is observed, asked about, dreamt over and undreamt, and no law may be broken."""
