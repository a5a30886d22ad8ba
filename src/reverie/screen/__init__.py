"""The screen checks every text before it is stored: it masks secrets and personal data and quarantines injected orders.

In: a text and ``ScreenSettings``. Out: ``Screened``. Nothing here writes, and nothing here asks a model.
"""
