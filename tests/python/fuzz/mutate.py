"""Inputs that are nearly right: seeds of a corpus, changed at random but the same for the same seed."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence

__all__ = ["mutants"]

# Numbers at the edges of types, and beyond all of them.
_NUMBERS = [
    *("0", "-0", "-1", "1", "15", "16", "127", "128", "225", "226", "255", "256", "-32769", "32768", "65536"),
    *("2147483648", "-2147483649", "4294967296", "9223372036854775808", "18446744073709551616"),
    *(
        "1e400",
        "-1e400",
        "1e-400",
        "0x10",
        "1_0",
        "NaN",
        "nan",
        "Infinity",
        "-inf",
        "٣",
        "9" * 30,
        "9" * 5000,
    ),
]
# What readers look at, and what no text has.
_TOKENS = [
    *(
        b"\0",
        b"\n",
        b"\r",
        b"\r\n",
        b" ",
        b"\t",
        b"\b",
        b",",
        b":",
        b";",
        b"#",
        b"/",
        b"-",
        b"\\",
        b'"',
        b"'",
    ),
    *(
        b"(",
        b")",
        b"[",
        b"]",
        b"{",
        b"}",
        b"<",
        b">",
        b"&",
        b"%",
        b"=",
        b"(;",
        b"[]",
        b"null",
        b"true",
        b"{}",
    ),
    *(b"\xff", b"\xfe\xff", b"\xff\xfe", b"\xef\xbb\xbf", b"\xc3\x28", b"\xed\xa0\x80", b"\xf0\x9f\x99\x82"),
    *(b"h8", b"o15", b"a1", b"p16", b"pass", b"--", b"X", b"O", b".", b"black", b"white", b"moves", b"<!--"),
]
_LONGEST = 20_000


def mutants(seeds: Sequence[bytes], seed: int) -> Iterator[bytes]:
    """The seeds, then changed ones without end. What is short stays likely."""
    yield b""
    yield from seeds
    rng = random.Random(seed)
    pool = [*seeds] or [b""]
    while True:
        data = bytearray(rng.choice(pool))
        for _ in range(1 + int(rng.expovariate(0.5))):
            _change(data, pool, rng)
        if len(data) <= _LONGEST:
            found = bytes(data)
            yield found
            # Some go on from here: a fault may need several steps.
            if rng.random() < 0.02 and len(pool) < 200:
                pool.append(found)


def _change(data: bytearray, pool: list[bytes], rng: random.Random) -> None:
    at = rng.randrange(len(data) + 1)
    length = min(int(rng.expovariate(0.2)), len(data) - at)
    kind = rng.randrange(10)
    if kind == 0 and at < len(data):
        data[at] ^= 1 << rng.randrange(8)
    elif kind == 1 and at < len(data):
        data[at] = rng.randrange(256)
    elif kind == 2:
        del data[at : at + length]
    elif kind == 3:
        data[at:at] = rng.choice(_TOKENS) * (1 if rng.random() < 0.9 else rng.randrange(2, 400))
    elif kind == 4:
        data[at:at] = rng.choice(_NUMBERS).encode()
    elif kind == 5:
        _replace_number(data, at, rng)
    elif kind == 6:
        data[at:at] = data[at : at + length] * (1 if rng.random() < 0.9 else rng.randrange(2, 60))
    elif kind == 7:
        other = rng.choice(pool)
        start = rng.randrange(len(other) + 1)
        data[at : at + length] = other[start : start + rng.randrange(40)]
    elif kind == 8:
        del data[at:]
    else:
        data[at:at] = bytes(rng.randrange(256) for _ in range(rng.randrange(1, 5)))


def _replace_number(data: bytearray, at: int, rng: random.Random) -> None:
    """Puts another number in place of the next one."""
    digits = b"0123456789"
    start = next((i for i in range(at, len(data)) if data[i] in digits), None)
    if start is None:
        return
    end = next((i for i in range(start, len(data)) if data[i] not in digits), len(data))
    data[start:end] = rng.choice(_NUMBERS).encode()
