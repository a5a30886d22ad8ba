"""The forward pass of multilingual-e5-small with ONNX Runtime, an optional dependency: the same weights, in less time.

The network is encoded in ONNX's format here, so that the package ``onnx`` is not needed.
"""

from __future__ import annotations

import importlib.util
import struct
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from reverie.errors import ModelMissing
from reverie.extras import how_to_add, lacking
from reverie.models.e5_network import BLOCK, BLOCK_BYTES, E5File, TokenIds, mean_of_each
from reverie.types import FloatArray, IntArray

CONTRIB = "com.microsoft"
"""Domain of ONNX Runtime's own operators."""
FLOAT, INT32, INT64 = 1, 6, 7
"""ONNX's codes of number types."""

_UINT8 = 2
_TYPES = {np.dtype(np.float32): FLOAT, np.dtype(np.uint8): _UINT8, np.dtype(np.int64): INT64}
_IR_VERSION, _OPSET, _CONTRIB_OPSET = 10, 20, 1
_VARINT, _LENGTH, _FIXED32 = 0, 2, 5  # protobuf wire types, the lowest three bits of a field's tag


def node(op: str, inputs: Sequence[str], output: Sequence[str] | str, domain: str = "", **attributes: Any) -> bytes:
    """Encode an operator of the graph; an input "" is omitted, attributes are integers or floats."""
    outputs = [output] if isinstance(output, str) else output
    parts = [_bytes(1, name) for name in inputs] + [_bytes(2, name) for name in outputs] + [_bytes(4, op)]
    parts += [_bytes(5, _attribute(name, value)) for name, value in attributes.items()]
    return _bytes(1, b"".join([*parts, _bytes(7, domain)]))


def tensor(name: str, values: npt.NDArray[Any]) -> bytes:
    """Encode a constant tensor of the network: 32-bit floats, bytes or 64-bit integers."""
    head = [_number(1, size) for size in values.shape] + [_number(2, _TYPES[values.dtype]), _bytes(8, name)]
    little = values.astype(values.dtype.newbyteorder("<"), copy=False)
    return _bytes(5, b"".join([*head, _bytes(9, little.tobytes())]))


def given(name: str, kind: int, shape: Sequence[int | str]) -> bytes:
    """Encode an input of the network; a size that differs between runs has a name."""
    return _bytes(11, _value(name, kind, shape))


def wanted(name: str, kind: int, shape: Sequence[int | str]) -> bytes:
    """Encode an output of the network."""
    return _bytes(12, _value(name, kind, shape))


def model(parts: Iterable[bytes]) -> bytes:
    """Encode the whole network: operators in order of execution, tensors, inputs and outputs."""
    domains = [_bytes(1, "") + _number(2, _OPSET), _bytes(1, CONTRIB) + _number(2, _CONTRIB_OPSET)]
    graph = _bytes(7, b"".join([*parts, _bytes(2, "reverie")]))
    return b"".join([_number(1, _IR_VERSION), graph, *(_bytes(8, domain) for domain in domains)])


def _value(name: str, kind: int, shape: Sequence[int | str]) -> bytes:
    sizes = [_bytes(1, _bytes(2, size) if isinstance(size, str) else _number(1, size)) for size in shape]
    return _bytes(1, name) + _bytes(2, _bytes(1, _number(1, kind) + _bytes(2, b"".join(sizes))))


def _attribute(name: str, value: int | float) -> bytes:
    if isinstance(value, float):
        return _bytes(1, name) + _mark(2, _FIXED32) + struct.pack("<f", value) + _number(20, 1)
    return _bytes(1, name) + _number(3, value) + _number(20, 2)


def _number(field: int, value: int) -> bytes:
    return _mark(field, _VARINT) + _varint(value)


def _bytes(field: int, value: bytes | str) -> bytes:
    raw = value.encode() if isinstance(value, str) else value
    return b"".join([_mark(field, _LENGTH), _varint(len(raw)), raw])


def _mark(field: int, form: int) -> bytes:
    return _varint(field << 3 | form)


def _varint(value: int) -> bytes:
    """Encode an integer seven bits a byte, the lowest first; a negative one as its 64 bits."""
    value &= (1 << 64) - 1
    out = bytearray()
    while value > 127:
        out.append(value & 127 | 128)
        value >>= 7
    out.append(value)
    return bytes(out)


_PACKAGE = "onnxruntime"
_LEAST = (1, 20)
"""The oldest release tested; four-bit matrices came with 1.17."""
_MEND = f"{how_to_add('onnx')} Or choose e5:numpy, which does without."
_EXACT, _INT8 = 0, 4
"""Precision of products with four-bit matrices: 32-bit floats, or the state as bytes with a scale for every 32."""


def is_installed() -> bool:
    """Whether ONNX Runtime is installed; it is not imported."""
    return importlib.util.find_spec(_PACKAGE) is not None


class OnnxNetwork:
    """The network in one ONNX Runtime session; accepts texts of any lengths, and calls from several threads.

    ``int8``: the state is rounded to bytes before each product, which is quicker for few tokens and rotates a vector by
    about a degree. A text's vector does not depend on the others in its batch, except in the last bits.

    Raises:
        ModelMissing: ONNX Runtime is not installed, is too old, or rejects the graph.
    """

    def __init__(self, file: E5File, *, int8: bool = False, threads: int = 1) -> None:
        self._words = TokenIds(file)
        self._session = _session(_laid_out(file, _INT8 if int8 else _EXACT), threads)

    def run(self, texts: Sequence[Sequence[int]]) -> FloatArray:
        """Embed tokenised texts, (n, 384); each must have a token, and its vector does not depend on the others."""
        lengths = np.array([len(tokens) for tokens in texts])
        vectors: list[FloatArray] = []
        groups = _alike(lengths)
        for group in groups:
            chosen = [texts[number] for number in group]
            state = self._session.run(None, {"state": self._words.rows(chosen), **_places(lengths[group])})[0]
            vectors.append(mean_of_each(state, lengths[group]))
        rows: FloatArray = np.concatenate(vectors)[np.argsort(np.concatenate(groups))]
        return rows


def _alike(lengths: IntArray) -> list[IntArray]:
    """Group texts by length, the longest less than twice the shortest, because attention pads to the longest."""
    order = np.argsort(lengths, kind="stable")
    octaves = np.floor(np.log2(lengths[order]))
    return np.split(order, np.flatnonzero(np.diff(octaves)) + 1)


def _places(lengths: IntArray) -> dict[str, npt.NDArray[Any]]:
    """Return each text's token positions padded to the longest, which of them are real, and the way back."""
    within = np.arange(lengths.max())
    real = within < lengths[:, None]
    starts = np.cumsum(lengths) - lengths
    padded = np.where(real, starts[:, None] + within, 0)
    return {"padded": padded, "real": real.astype(np.int32), "back": np.flatnonzero(real)}


def _laid_out(file: E5File, level: int) -> bytes:
    """Encode the network as a model: tokens of all texts in one row, arranged text by text only for attention."""
    dims = file.sizes.dims
    parts = [
        given("state", FLOAT, ("tokens", dims)),
        given("padded", INT64, ("texts", "longest")),
        given("real", INT32, ("texts", "longest")),
        given("back", INT64, ("tokens",)),
        tensor("thirds", np.full(3, dims)),
        tensor("rows", np.array([-1, dims])),
        *_tensors(file, "emb.ln.w", "emb.ln.b"),
        node(
            "LayerNormalization", ["state", "emb.ln.w", "emb.ln.b"], "in.0", axis=-1, epsilon=float(file.sizes.epsilon)
        ),
    ]
    for number in range(file.sizes.layers):
        parts += _attention(file, number, level)
        parts += _dense(file, number, level)
    return model([*parts, wanted(f"in.{file.sizes.layers}", FLOAT, ("tokens", dims))])


def _attention(file: E5File, number: int, level: int) -> Iterator[bytes]:
    """Encode attention, from ``in.N`` to ``mid.N``, with residual connection and normalisation."""
    layer, dims = f"l{number}", file.sizes.dims
    mixed = [f"{layer}.{part}" for part in "qkv"]
    biases = np.concatenate([file.floats(f"{name}.b") for name in mixed])
    yield from _product(file, level, mixed, f"in.{number}", f"{layer}.product")
    yield tensor(f"{layer}.qkv.b", biases)
    yield node("Add", [f"{layer}.product", f"{layer}.qkv.b"], f"{layer}.mixed")
    yield node("Gather", [f"{layer}.mixed", "padded"], f"{layer}.apart", axis=0)
    yield node("Split", [f"{layer}.apart", "thirds"], mixed, axis=-1)
    yield node("MultiHeadAttention", [*mixed, "", "real"], f"{layer}.context", CONTRIB, num_heads=file.sizes.heads)
    yield node("Reshape", [f"{layer}.context", "rows"], f"{layer}.padded")
    yield node("Gather", [f"{layer}.padded", "back"], f"{layer}.seen", axis=0)
    yield from _product(file, level, [f"{layer}.ao"], f"{layer}.seen", f"{layer}.told", dims)
    yield from _joined(file, f"{layer}.ao", f"{layer}.aln", (f"{layer}.told", f"in.{number}", f"mid.{number}"))


def _dense(file: E5File, number: int, level: int) -> Iterator[bytes]:
    """Encode the feed-forward layers, from ``mid.N`` to ``in.N+1``, for each token by itself."""
    layer = f"l{number}"
    yield from _product(file, level, [f"{layer}.fi"], f"mid.{number}", f"{layer}.wide")
    yield from _tensors(file, f"{layer}.fi.b")
    yield node("BiasGelu", [f"{layer}.wide", f"{layer}.fi.b"], f"{layer}.bent", CONTRIB)
    yield from _product(file, level, [f"{layer}.fo"], f"{layer}.bent", f"{layer}.narrow", file.sizes.hidden)
    yield from _joined(file, f"{layer}.fo", f"{layer}.oln", (f"{layer}.narrow", f"mid.{number}", f"in.{number + 1}"))


def _product(
    file: E5File, level: int, names: Sequence[str], given_: str, made: str, columns: int = 0
) -> Iterator[bytes]:
    """Encode the product with one four-bit matrix, or with several as one; the next operator adds the bias."""
    columns = columns or file.sizes.dims
    scales, numbers = repacked(np.concatenate([file.packed(f"{name}.w").reshape(-1, BLOCK_BYTES) for name in names]))
    rows = len(scales) * BLOCK // columns
    yield tensor(f"{made}.numbers", numbers.reshape(rows, columns // BLOCK, BLOCK // 2))
    yield tensor(f"{made}.scales", scales)
    sizes = {"K": columns, "N": rows, "bits": 4, "block_size": BLOCK, "accuracy_level": level}
    yield node("MatMulNBits", [given_, f"{made}.numbers", f"{made}.scales"], made, CONTRIB, **sizes)


def _joined(file: E5File, dense: str, norm: str, names: tuple[str, str, str]) -> Iterator[bytes]:
    """Encode bias, residual connection and layer normalisation as one operator."""
    product, before, made = names
    own = [f"{norm}.w", f"{norm}.b", f"{dense}.b"]
    yield from _tensors(file, *own)
    yield node("SkipLayerNormalization", [product, before, *own], made, CONTRIB, epsilon=float(file.sizes.epsilon))


def _tensors(file: E5File, *names: str) -> Iterator[bytes]:
    yield from (tensor(name, file.floats(name)) for name in names)


def repacked(blocks: npt.NDArray[np.uint8]) -> tuple[FloatArray, npt.NDArray[np.uint8]]:
    """Convert blocks of the file, shape (n, 18), to scales, shape (n,), and packed numbers, shape (n, 16).

    The file has numbers 0 and 16 of a block in its first byte; ONNX Runtime expects numbers 0 and 1 there.
    """
    scales = np.ascontiguousarray(blocks[:, :2]).view("<f2").astype(np.float32).reshape(-1)
    halves = blocks[:, 2:]
    numbers = np.concatenate([halves & 15, halves >> 4], axis=1)
    return scales, numbers[:, 0::2] | numbers[:, 1::2] << 4


def _session(graph: bytes, threads: int) -> Any:
    """Make a CPU session without spinning threads and log output. Raises ModelMissing."""
    try:
        import onnxruntime as runtime
        from onnxruntime.capi import onnxruntime_pybind11_state as state
    except ImportError as error:
        raise lacking("onnx", "The quicker arithmetic of e5 (ONNX Runtime)", ModelMissing) from error
    _require_known(runtime.__version__)
    options = runtime.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    options.log_severity_level = 4  # an error that stops it is raised as well
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    refusals = (state.Fail, state.InvalidArgument, state.InvalidGraph, state.NotImplemented, state.RuntimeException)
    try:
        return runtime.InferenceSession(graph, options, providers=["CPUExecutionProvider"])
    except refusals as error:
        raise ModelMissing(f"ONNX Runtime {runtime.__version__} cannot run the model here.", _MEND) from error


def _require_known(version: str) -> None:
    """Raise ModelMissing for a release older than those tested."""
    parts = tuple(int(part) for part in version.split(".")[:2] if part.isdecimal())
    if parts < _LEAST:
        raise ModelMissing(f"ONNX Runtime {version} is too old.", f"Update it: pip install '{_PACKAGE}>=1.20'")
