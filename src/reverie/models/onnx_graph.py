"""Write a network in the form that ONNX Runtime reads, so that the package ``onnx`` is not needed to make one.

In: nodes, tensors, inputs and outputs, each encoded by a function here. Out: the bytes of a model. The form is a
protocol buffer; the numbers of its fields are those of ``onnx.proto``, version 3.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

CONTRIB = "com.microsoft"
"""The domain of ONNX Runtime's own operators."""
FLOAT, INT32, INT64 = 1, 6, 7
"""What numbers are, as the form counts it."""

_UINT8 = 2
_TYPES = {np.dtype(np.float32): FLOAT, np.dtype(np.uint8): _UINT8, np.dtype(np.int64): INT64}
_IR_VERSION, _OPSET, _CONTRIB_OPSET = 10, 20, 1
_VARINT, _LENGTH, _FIXED32 = 0, 2, 5  # how a field is laid down, in the lowest three bits of its mark


def node(op: str, inputs: Sequence[str], output: Sequence[str] | str, domain: str = "", **attributes: Any) -> bytes:
    """One step of the graph; an input "" is one left out, attributes are whole numbers or floats."""
    outputs = [output] if isinstance(output, str) else output
    parts = [_bytes(1, name) for name in inputs] + [_bytes(2, name) for name in outputs] + [_bytes(4, op)]
    parts += [_bytes(5, _attribute(name, value)) for name, value in attributes.items()]
    return _bytes(1, b"".join([*parts, _bytes(7, domain)]))


def tensor(name: str, values: npt.NDArray[Any]) -> bytes:
    """Numbers that belong to the network: 32-bit floats, bytes or 64-bit integers."""
    head = [_number(1, size) for size in values.shape] + [_number(2, _TYPES[values.dtype]), _bytes(8, name)]
    little = values.astype(values.dtype.newbyteorder("<"), copy=False)
    return _bytes(5, b"".join([*head, _bytes(9, little.tobytes())]))


def given(name: str, kind: int, shape: Sequence[int | str]) -> bytes:
    """What is handed in at each run; a size that differs from run to run has a name."""
    return _bytes(11, _value(name, kind, shape))


def wanted(name: str, kind: int, shape: Sequence[int | str]) -> bytes:
    """What comes out."""
    return _bytes(12, _value(name, kind, shape))


def model(parts: Iterable[bytes]) -> bytes:
    """The whole network of nodes in the order of their work, tensors, and what is given and wanted."""
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
    """Seven bits a byte, the lowest first; a negative number as its 64 bits."""
    value &= (1 << 64) - 1
    out = bytearray()
    while value > 127:
        out.append(value & 127 | 128)
        value >>= 7
    out.append(value)
    return bytes(out)
