"""Load an embedder or a reranker by its name, such as ``use``, ``hash:256`` or ``openai:MODEL@URL``.

Only the adapter that the name needs is imported; ``none`` loads nothing and gives None.
"""

from __future__ import annotations

import difflib
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

from reverie.errors import InvalidSetting
from reverie.ports import Embedder, Reranker

if TYPE_CHECKING:
    from reverie.models.e5 import Arithmetic

_Model = TypeVar("_Model")
_Options: TypeAlias = Mapping[str, Any]
_Loaders: TypeAlias = Mapping[str, tuple[Callable[[str, _Options], _Model | None], tuple[str, ...]]]


def load_embedder(spec: str, **options: Any) -> Embedder | None:
    """Load the embedder that a spec names: ``name`` or ``name:argument``; None for ``none``.

    ``default``, which is ``use+e5`` where both are installed, else ``use``; ``none``; ``hash`` or ``hash:DIMS``;
    ``use``; ``e5`` and ``use+e5``, both also with ``:numpy`` or ``:onnx``; ``openai:MODEL`` or ``openai:MODEL@URL``
    (options ``api_key``, ``dims``, ``timeout_s``, ``attempts``, ``batch_size``); ``sentence-transformers:NAME_OR_PATH``
    (option ``revision``); ``fastembed:NAME``.

    Raises:
        InvalidSetting: the name or an option is unknown, or the argument is missing or wrong.
        ModelMissing: the package behind the name is not installed.
        ModelCorrupt: its weights are not the published ones.
    """
    return _loaded("embedding model", spec, options, _LOADERS)


def spec_of(embedder: Embedder | None) -> str | None:
    """Return the specification of a model that makes the same vectors of passages in another process; None for others.

    So are ``use`` and ``hash`` specified, and ``none``; others may have options, or are an object of the caller's.
    """
    if embedder is None:
        return "none"
    kind = (type(embedder).__module__, type(embedder).__name__)
    if kind in (("reverie.models.use", "UseEmbedder"), ("reverie.models.e5", "UseWithE5")):
        return "use"
    if kind == ("reverie.models.hashing", "HashEmbedder"):
        return f"hash:{embedder.info.dims}"
    return None


def load_reranker(spec: str, **options: Any) -> Reranker | None:
    """Load the reranker that a spec names: ``name`` or ``name:argument``; None for ``none``.

    ``none``; ``rerank:MODEL@URL``, or ``rerank:URL`` if the endpoint has a single model (options ``api_key``,
    ``timeout_s``); ``sentence-transformers:NAME_OR_PATH`` (option ``revision``); ``fastembed:NAME``.

    Raises:
        InvalidSetting: the name or an option is unknown, or the argument is missing or wrong.
        ModelMissing: the package behind the name is not installed.
    """
    return _loaded("reranker", spec, options, _RERANKERS)


def _loaded(what: str, spec: str, options: _Options, loaders: _Loaders[_Model]) -> _Model | None:
    name, _, argument = spec.strip().partition(":")
    name = name.strip().lower()
    if name not in loaders:
        raise InvalidSetting(f"There is no {what} {name!r}.", _nearest(name, loaders))
    load, known = loaders[name]
    for option in options:
        if option not in known:
            raise InvalidSetting(f"The {what} {name!r} has no option {option!r}.", _nearest(option, known))
    return load(argument.strip(), options)


def _nearest(name: str, known: Mapping[str, Any] | tuple[str, ...]) -> str:
    near = difflib.get_close_matches(name, list(known), n=1)
    if near:
        return f"Did you mean {near[0]!r}?"
    return f"Known: {', '.join(known)}." if known else "It has none."


def _none(argument: str, _: _Options) -> None:
    _no_argument("none", argument)


def _hash(argument: str, _: _Options) -> Embedder:
    from reverie.models.hashing import HashEmbedder

    if argument and not argument.isdecimal():
        raise InvalidSetting(f"{argument!r} is no number of dimensions.", "Write hash or, for example, hash:256.")
    return HashEmbedder(int(argument)) if argument else HashEmbedder()


def _use(argument: str, _: _Options) -> Embedder:
    from reverie.models.use import UseEmbedder

    _no_argument("use", argument)
    return UseEmbedder()


def _e5(argument: str, _: _Options) -> Embedder:
    from reverie.models.e5 import E5Embedder

    return E5Embedder(_arithmetic("e5", argument))


def _use_with_e5(argument: str, _: _Options) -> Embedder:
    from reverie.models.e5 import UseWithE5

    return UseWithE5(_arithmetic("use+e5", argument))


def _arithmetic(name: str, argument: str) -> Arithmetic:
    from reverie.models.e5 import Arithmetic

    try:
        return Arithmetic(argument.lower())
    except ValueError:
        raise InvalidSetting(
            f"The model {name!r} is not computed with {argument!r}.", f"Write {name}, {name}:numpy or {name}:onnx."
        ) from None


def _default(argument: str, options: _Options) -> Embedder:
    from reverie.models.e5 import WEIGHTS

    _no_argument("default", argument)
    return (_use_with_e5 if WEIGHTS.is_there else _use)("", options)


def _openai(argument: str, options: _Options) -> Embedder:
    from reverie.models.openai import Endpoint, OpenAIEmbedder, model_and_url

    model, url = model_and_url(argument)
    patience = {option: value for option, value in options.items() if option != "dims"}
    endpoint = Endpoint(url=url, **patience)
    return OpenAIEmbedder(_required("openai", model), endpoint, dims=options.get("dims"))


def _sentence_transformers(argument: str, options: _Options) -> Embedder:
    from reverie.models.sentence_transformers import SentenceTransformersEmbedder

    return SentenceTransformersEmbedder(_required("sentence-transformers", argument), options.get("revision"))


def _fastembed(argument: str, _: _Options) -> Embedder:
    from reverie.models.fastembed import FastEmbedEmbedder

    return FastEmbedEmbedder(_required("fastembed", argument))


def _rerank(argument: str, options: _Options) -> Reranker:
    from reverie.models.openai import Endpoint
    from reverie.models.rerank import FORM, EndpointReranker, model_and_url

    model, url = model_and_url(argument)
    return EndpointReranker(model, Endpoint(url, attempts=1, form=FORM, **options))


def _sentence_transformers_reranker(argument: str, options: _Options) -> Reranker:
    from reverie.models.sentence_transformers import SentenceTransformersReranker

    return SentenceTransformersReranker(_required("sentence-transformers", argument), options.get("revision"))


def _fastembed_reranker(argument: str, _: _Options) -> Reranker:
    from reverie.models.fastembed import FastEmbedReranker

    return FastEmbedReranker(_required("fastembed", argument))


def _required(name: str, argument: str) -> str:
    if not argument:
        raise InvalidSetting(f"{name} needs the name of a model.", f"Write {name}:NAME.")
    return argument


def _no_argument(name: str, argument: str) -> None:
    if argument:
        raise InvalidSetting(f"The model {name!r} takes no argument.", f"Write {name} alone.")


_ENDPOINT_OPTIONS = ("api_key", "dims", "timeout_s", "attempts", "batch_size")
_LOADERS: _Loaders[Embedder] = {
    "default": (_default, ()),
    "none": (_none, ()),
    "hash": (_hash, ()),
    "use": (_use, ()),
    "e5": (_e5, ()),
    "use+e5": (_use_with_e5, ()),
    "openai": (_openai, _ENDPOINT_OPTIONS),
    "sentence-transformers": (_sentence_transformers, ("revision",)),
    "fastembed": (_fastembed, ()),
}
_RERANKERS: _Loaders[Reranker] = {
    "none": (_none, ()),
    "rerank": (_rerank, ("api_key", "timeout_s")),
    "sentence-transformers": (_sentence_transformers_reranker, ("revision",)),
    "fastembed": (_fastembed_reranker, ()),
}
