"""The engine: composes store, models, clock and ids into ``core.Reverie``, the public class."""
