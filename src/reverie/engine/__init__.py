"""The engine composes clock, ids, store and models into one object; its public class is ``core.Reverie``."""
