"""From the name of a language model to the model.

In: a spec such as ``openai:gpt-4o-mini`` or ``openai:qwen@http://127.0.0.1:8080/v1``, its surroundings, and options.
Out: a model, or None for ``none``, which is the default: Reverie works without one.
"""

from __future__ import annotations

import difflib
from dataclasses import fields
from typing import Any

from reverie.errors import InvalidSetting
from reverie.models.llm import ChatModel, ChatSettings, Surroundings
from reverie.models.openai import Endpoint, model_and_url

ENDPOINT_OPTIONS = ("api_key", "timeout_s", "attempts")
MODEL_OPTIONS = tuple(field.name for field in fields(ChatSettings) if field.name not in ("model", "endpoint"))


def load_language_model(spec: str, surroundings: Surroundings, **options: Any) -> ChatModel | None:
    """The model a spec names: ``none``, ``openai:MODEL`` or ``openai:MODEL@URL``.

    Options: ``api_key``, ``timeout_s``, ``attempts``, and the fields of ``ChatSettings``.

    Raises:
        InvalidSetting: the name or an option is not known, or a value is out of range.
    """
    name, _, argument = spec.strip().partition(":")
    if name.strip().lower() == "none" and not argument:
        return None
    if name.strip().lower() != "openai":
        raise InvalidSetting(
            f"There is no language model {spec.strip()!r}.", "Write none, openai:NAME or openai:NAME@URL."
        )
    known = (*ENDPOINT_OPTIONS, *MODEL_OPTIONS)
    for option in options:
        if option not in known:
            near = difflib.get_close_matches(option, known, n=1)
            raise InvalidSetting(
                f"A language model has no option {option!r}.",
                f"Did you mean {near[0]!r}?" if near else f"Known: {', '.join(known)}.",
            )
    model, url = model_and_url(argument)
    endpoint = Endpoint(url, **{k: v for k, v in options.items() if k in ENDPOINT_OPTIONS})
    limits = {option: value for option, value in options.items() if option in MODEL_OPTIONS}
    return ChatModel(ChatSettings(model.strip(), endpoint, **limits), surroundings)
