"""How ``ocean`` encodes: document B to the letter — everything starts equal, importance is earned."""

from __future__ import annotations

from reverie.encode.settings import EncodeSettings, FormSettings

FORM = FormSettings(
    whole=True, needs_class=False, rewrite=False, foresight_days=7.0, limit_chars=100_000, most=1, entities=8
)

ENCODE = EncodeSettings(form=FORM, importance=0.5, utility=0.5, stability_days=1.0, accesses=0)
