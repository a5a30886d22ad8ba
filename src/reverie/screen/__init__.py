"""What stands between a text and the store: secrets are masked, personal data masked or marked, orders held back.

In: a text and ``ScreenSettings``. Out: ``Screened``. Nothing here writes, and nothing here asks a model.
"""
