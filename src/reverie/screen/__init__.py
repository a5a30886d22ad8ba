"""Screen texts before they are stored: mask secrets, mask or mark personal data, and quarantine prompt injections.

In: a text and ``ScreenSettings``. Out: ``Screened``. Nothing here writes or asks a model.
"""
