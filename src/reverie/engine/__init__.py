"""The composition root: where clock, chance, store and model meet. ``core.Reverie`` is the public class."""
