"""Writes the corpus, from `tests/data` and from what the package itself writes.

`python -m fuzz.make_corpus` in `tests/python`.
"""

from __future__ import annotations

import io as streams
import json
import zlib

import numpy as np

from fuzz.run import CORPUS
from renju import BLACK, WHITE, Board, Game, io, prove, solve_vcf, solve_vct
from renju._types import Point
from renju.book.entries import BookMove, Entry
from renju.book.file import to_bytes
from support import FILES


def _npy(array: np.ndarray, shape: str | None = None) -> bytes:
    """An array file; with a shape of the same length in its header if it is told."""
    file = streams.BytesIO()
    np.save(file, array)
    data = file.getvalue()
    return data if shape is None else data.replace(str(array.shape).encode(), shape.encode())


def _book() -> bytes:
    entries = {
        7: Entry(2, (BookMove(Point("h9"), 10, 25, 8, 1000, 3), BookMove(Point("i9"), 5, None, 0, 0, 1))),
        9: Entry(3, (BookMove(Point("a1"), 1, -5, 2, 10, 0),)),
    }
    return zlib.decompress(to_bytes(entries, {"name": "a book"})[16:])


def seeds() -> dict[str, list[bytes]]:
    """Key: target; value: its seeds."""
    game = Game.from_moves("h8 i9 i7 g9 pass j8", {"black": "Ann", "white": "堀口"}, "1-0")
    won = solve_vcf(Board.from_stones("f8 g8 h8", "a1 a3", turn=BLACK))
    vct = solve_vct(Board.from_stones("a1 c4 g2 n1", "h8 i8 k9 k10", turn=WHITE), max_depth=2)
    lost = solve_vcf(Board("h8i9"))
    boards = np.stack([Board("h8i9g7").to_array(), Board("h8").to_array()])
    text = "h8i9g7\nh8,f6/h7\n1,0, -1,2, 0,0\n# no game\nhttps://gomocalc.com/#/h8i9\n"
    return {
        "sgf": [
            (FILES / "yixin_qiguan_2018_g4_missing_semicolons.sgf").read_bytes(),
            str(io.dumps(game, "sgf")).encode(),
            b"(;GM[4]FF[4]CA[Shift_JIS]SZ[15]AB[hh:ii]AW[aa]PL[B]C[a\\]b];B[hj]LB[hh:1]MA[aa](;W[]XX[y])(;W[cc]))",
            b"(;" * 30 + b"(;B[aa])(;W[bb];B[tt])",
        ],
        "lib": [(FILES / name).read_bytes() for name in ("rapfi_export.lib", "synthetic_openings.lib")]
        + [io.lib.dumps(Game.from_moves("h8 i9 i7 pass pass j8"))],
        "rif": [(FILES / "rif_min_synthetic.rif").read_bytes()],
        "psq": [
            (FILES / name).read_bytes()
            for name in ("gomocup_1x0-16.psq", "piskvork_renju_issue1_freestyle20.psq")
        ],
        "txt": [text.encode(), str(Board("h8i9g7")).encode(), b"h8i9--j8\n0,0,1,1,\n"],
        "gomocalc": [b"https://gomocalc.com/#/h8i9g7\nhttps://renju-note.com/#g:h8i9,o:i,b:a1,w:b2,p:c3,c:2,l:x\n"],
        "rows_npy": [
            _npy(boards),
            _npy(np.asfortranarray(boards.astype(np.int64))),
            _npy(boards[:1], "(-1, 15, 15)"[:11]),
            _npy(np.zeros((0, 15, 15), np.int8)),
            _npy(np.zeros((2, 15, 15), np.uint8), "(99999, 15, 15)"),
        ],
        "rows_csv": [b'id,moves\n1,h8i9\n2,"h8,i9"\n', b'black,white,turn\n"h8,i9",a1,white\n'],
        "rows_jsonl": [
            b'{"id": 1, "moves": "h8i9"}\n{"black": ["h8"], "white": ["i9"], "turn": 1}\n"h8i9"\n',
            b'{"id": 1e999, "moves": ["h8", "i9"]}\n[1]\nnull\n',
        ],
        "rows_txt": [b"h8i9\n# a remark\nh8 i9 g7\r\n"],
        "proof_json": [proof.to_json().encode() for proof in (won, vct, lost)],
        "quiet_proof": [
            prove(Board.from_stones("f8 g8 h8", "a1 a3", turn=BLACK), check=False).proof or b"",
            prove(Board.from_stones("a1 c4 g2 n1", "h8 i8 k9 k10", turn=WHITE), check=False).proof or b"",
        ],
        "proof_line": [
            b'{"kind":"goal","color":"black","black":"i7h8","white":"i9"}',
            b'{"kind":"open","color":"white","black":"h8","white":"","threat":2,"limit":null,"nodes":7,'
            b'"cpu_s":0.5,"reason":"memory"}',
            b'{"kind":"proof","color":"black","black":"f8g8h8","white":"a1","threat":1,"limit":9,"nodes":4,'
            b'"cpu_s":0,"move":"e8","entries":1,"verified":true,"size":2,"proof":"eJxjYAAAAAIAAQ=="}',
        ],
        "config_toml": [b'level = "easy"\ndepth = 3\nvct = true\n', b"open_three = -900\nradius = 2\n"],
        "query": [
            b'{"id": 1, "job": "vct", "moves": "h8", "limit": {"nodes": 10, "time": 0.5}}',
            b'{"id": "x", "black": "h8", "white": ["i9"], "turn": "black", "config": {"depth": 3}}',
            b'{"id": 2, "action": "terminate", "terminate_id": 1}',
        ],
        "gomocup": [
            b"START 15\r\nINFO timeout_turn 100\r\nBEGIN\r\nTURN 7,8\r\nTAKEBACK 7,7\r\nEND\r\n",
            b"BOARD\n7,7,1\n8,7,2\nDONE\nYXBOARD 1,1,1 2,2,2 DONE\nYXSHOWFORBID\nYXNBEST 3\n",
            b"SWAP2BOARD\nDONE\n",
            b"ABOUT\nPLAY 7,7\nINFO rule 4\nINFO max_memory 99999999999\nRECTSTART 15,15\nSTOP\n",
        ],
        "request": [
            b'{"moves": "h8i9", "level": "easy", "time": 1, "nodes": 100, "multipv": 3, "color": "black"}',
            b'{"setup": {"black": ["h8"], "white": [], "turn": "white"}, "moves": ["i9"], "text": "x"}',
        ],
        "book": [_book()],
        "moves": [b"h8i9g7\nH8 I9 pass--\nh8h8\n", b"h8,i9,g7 o15 a1"],
        "diagram": [str(Board("h8i9g7")).encode()],
        "stones": [bytes([112, 97, 128, 0, 224, 15])],
        "arrays": [b"\x01" + boards[0].tobytes(), b"\x02" + bytes([1, 1, 1, 1, 0, 2, 2, 2]) + bytes(217)],
        "values": [b"12 0 0 0 0 0 0\n0 1 2 3 -4 5 6\n", b"1 2 3 4 5 6\n"],
        "config_dict": [
            json.dumps({"depth": 4, "vct": 1, "open_three": 1000, "hash_mb": 1, "threads": 2}).encode(),
            json.dumps({"hash_mb": 2**50, "threads": 2**40}).encode(),
        ],
        "native_tree": [bytes([111, 109, 0, 0, 109, 4, 1, 1]), bytes(range(40))],
        "words": [
            b"h8", b"A10", b"B3 2", b"declare 5", b"master time=1 nodes=100", b"depth:4:1:10:0.5",
            b"Depth 8-13 ev -25 n 1200\nDepth 8 | Eval +M7 | Node 12k",
        ],
    }  # fmt: skip


if __name__ == "__main__":
    for target, found in seeds().items():
        folder = CORPUS / target
        folder.mkdir(parents=True, exist_ok=True)
        for number, data in enumerate(found):
            (folder / f"{number}").write_bytes(data)
