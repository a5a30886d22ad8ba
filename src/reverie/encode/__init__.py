"""The write path, which forms memories from messages: one module for each stage, run in order by ``pipeline``."""
