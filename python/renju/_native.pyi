from collections.abc import Callable, Sequence
from typing import Any, Final, NotRequired, TypeAlias, TypedDict, final

import numpy as np
import numpy.typing as npt

__all__ = [
    "ANALYSIS_LAYOUT",
    "BOARD_SIZE",
    "CHANNELS",
    "END_REASONS",
    "FIRST_PASS_PLY",
    "FORBIDDEN_KINDS",
    "FORBIDDEN_LAYOUT",
    "ISMCTS_DEFAULTS",
    "ISMCTS_LEAST_NODES",
    "ISMCTS_MOST_NODES",
    "ISMCTS_MOST_TREES",
    "LEVELS",
    "LIMITS_HIT",
    "MOST_ARENA_GAMES",
    "MOST_ENGINE_THREADS",
    "MOST_HASH_MB",
    "MOST_PROOF_ATTACKS",
    "MOST_PROOF_DEPTH",
    "MOST_SECONDS",
    "MOST_SELF_PLAY_GAMES",
    "MOST_THREAT_FOURS",
    "NO_SOURCE",
    "OVER_SOURCE",
    "PASS",
    "POSITION_LAYOUT",
    "RECORD_LAYOUT",
    "SETTINGS",
    "SOLVE_KINDS",
    "SOLVE_LAYOUT",
    "SOURCES",
    "THREATS",
    "TWIN_COOL_KEYS",
    "TWIN_COOL_PIMC_DECKS",
    "TWIN_COOL_REMOVED",
    "TWIN_COOL_ROLLOUTS",
    "TWIN_COOL_SUITS",
    "TWIN_COOL_VALUES",
    "WIN",
    "Arena",
    "Engine",
    "Memo",
    "Position",
    "SgfLines",
    "StopFlag",
    "Trainer",
    "TwinCoolState",
    "__version__",
    "analyze",
    "bad_cell",
    "canonical",
    "check_config",
    "csv_table",
    "evaluate",
    "expand",
    "fit_values",
    "follow_quiet_proof",
    "forbidden",
    "forbidden_points",
    "forbidden_rows",
    "inert_settings",
    "keys",
    "level_config",
    "opening_keys",
    "parse",
    "parse_moves",
    "parse_point",
    "prefixes",
    "prove_position",
    "psq_line",
    "quiet_replies",
    "read_quiet_proof",
    "search_hidden",
    "self_play",
    "shipped_network",
    "signature",
    "solve",
    "solve_position",
    "threat_map",
    "transform_point",
    "twin_cool_games",
    "twin_cool_learn",
    "twin_cool_points",
    "unclear_turn",
    "values_arrays",
    "values_text",
    "verify",
    "verify_quiet_proof",
    "win_rate",
    "win_rates",
    "winners",
    "write_features",
]

# Name, type and shape of every field of an array's rows, as `numpy.dtype` takes them.
_Layout: TypeAlias = tuple[tuple[str, str, tuple[int, ...]], ...]

BOARD_SIZE: Final[int]
FORBIDDEN_KINDS: Final[tuple[str, ...]]
LEVELS: Final[tuple[str, ...]]
LIMITS_HIT: Final[tuple[str, ...]]
MOST_THREAT_FOURS: Final[int]
SOLVE_KINDS: Final[tuple[str, ...]]
PASS: Final[int]
FIRST_PASS_PLY: Final[int]
# Name, is a switch, default, least, most, unit, conditions, meaning.
SETTINGS: Final[tuple[tuple[str, bool, int, int, int, str, list[str], str], ...]]
SOLVE_LAYOUT: Final[_Layout]
ANALYSIS_LAYOUT: Final[_Layout]
POSITION_LAYOUT: Final[_Layout]
FORBIDDEN_LAYOUT: Final[_Layout]
RECORD_LAYOUT: Final[_Layout]
CHANNELS: Final[tuple[str, ...]]
END_REASONS: Final[tuple[str, ...]]
OVER_SOURCE: Final[int]
NO_SOURCE: Final[int]
SOURCES: Final[tuple[str, ...]]
THREATS: Final[tuple[str, ...]]
ISMCTS_DEFAULTS: Final[dict[str, Any]]
ISMCTS_LEAST_NODES: Final[int]
ISMCTS_MOST_NODES: Final[int]
ISMCTS_MOST_TREES: Final[int]
MOST_ARENA_GAMES: Final[int]
MOST_ENGINE_THREADS: Final[int]
MOST_HASH_MB: Final[int]
MOST_PROOF_ATTACKS: Final[int]
MOST_PROOF_DEPTH: Final[int]
MOST_SECONDS: Final[float]
MOST_SELF_PLAY_GAMES: Final[int]
TWIN_COOL_PIMC_DECKS: Final[int]
TWIN_COOL_KEYS: Final[tuple[str, ...]]
TWIN_COOL_REMOVED: Final[int]
TWIN_COOL_ROLLOUTS: Final[tuple[str, ...]]
TWIN_COOL_SUITS: Final[int]
TWIN_COOL_VALUES: Final[int]
WIN: Final[int]
__version__: Final[str]

# Winner (0 in a draw), reason, points of the line.
_OutcomeTuple: TypeAlias = tuple[int, str, list[int]]
# Point; None, "five", or why it is forbidden.
_ExtensionTuple: TypeAlias = tuple[int, str | _ExplanationTuple | None]
# Direction, shape, stones, completions, extensions.
_LineTuple: TypeAlias = tuple[str, str, list[int], list[int], list[_ExtensionTuple]]
# Point, kind, makes a five, lines.
_ExplanationTuple: TypeAlias = tuple[int, int, bool, list[_LineTuple]]

# Stone, (reply, tree) pairs, tree after a pass.
_TreeTuple: TypeAlias = tuple[int, list[tuple[int, _TreeTuple]], _TreeTuple | None]
# Status, exhausted, limit hit, tree, line, depth, nodes, interrupted.
_SolveTuple: TypeAlias = tuple[int, bool, str | None, _TreeTuple | None, list[int], int, int, bool]

class _QuietAnswer(TypedDict):
    """What `prove_position` found: 1 proved, 0 refuted, -1 open, and the counters of the search."""

    status: int
    reason: str | None
    interrupted: bool
    proof: bytes | None
    nodes: int
    positions: int
    leaves: int
    leaves_won: int
    inherited: int
    attacks: int
    ordered: int

# Move, score, pv.
_CandidateTuple: TypeAlias = tuple[int, int, list[int]]

class _Iteration(TypedDict):
    """A finished depth of `Engine.think`."""

    depth: int
    seldepth: int
    nodes: int
    candidates: list[_CandidateTuple]

class _Answer(TypedDict):
    """What `Engine.think` found."""

    move: int
    score: int
    depth: int
    seldepth: int
    nodes: int
    pv: list[int]
    source: str
    candidates: list[_CandidateTuple]
    breakdown: dict[str, int]
    static_value: dict[str, int]
    stats: dict[str, int]
    interrupted: bool
    fallback: bool
    vct_hint: int | None
    # Depth, best move, score.
    depths: list[tuple[int, int, int]]
    # Kind, tree, line, depth, threat limit.
    proof: tuple[str, _TreeTuple, list[int], int, int] | None
    signalled: bool

@final
class Position:
    def __new__(cls, referee: bool, move_limit: int | None) -> Position: ...
    @staticmethod
    def from_stones(black: list[int | str], white: list[int | str], turn: int | None) -> Position: ...
    @staticmethod
    def from_cells(cells: bytes, turn: int | None) -> Position: ...
    @staticmethod
    def from_text(text: str, turn: int | None) -> Position: ...
    def play(self, index: int) -> _OutcomeTuple | None: ...
    def play_all(self, moves: list[int]) -> None: ...
    def undo(self) -> int | None: ...
    def copy(self) -> Position: ...
    def transformed(self, k: int) -> Position: ...
    def moves(self) -> list[int]: ...
    def record(self) -> str: ...
    def text(self) -> str: ...
    def cells(self) -> bytes: ...
    def start(self) -> tuple[bytes, int]: ...
    @property
    def turn(self) -> int: ...
    @property
    def ply(self) -> int: ...
    @property
    def referee(self) -> bool: ...
    @property
    def move_limit(self) -> int | None: ...
    @property
    def key(self) -> int: ...
    def symmetric_key(self) -> tuple[int, int]: ...
    def outcome(self) -> _OutcomeTuple | None: ...
    def is_legal(self, index: int) -> bool: ...
    def legal_points(self) -> list[int]: ...
    def forbidden_kind(self, index: int) -> int: ...
    def forbidden_points(self) -> list[tuple[int, int]]: ...
    def explain(self, index: int) -> _ExplanationTuple | None: ...
    def threats(self, color: int) -> list[list[int]]: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

class _PartFit(TypedDict):
    """One part of a fit: training and validation loss of every step, and after rounding."""

    losses: list[tuple[float, float]]
    best: int
    rounded: tuple[float, float]
    scale: float

class _Fit(TypedDict):
    """What `fit_values` found."""

    table: str
    positions: tuple[int, int, int]
    board: _PartFit
    order: NotRequired[_PartFit]
    stopped: bool

class _HiddenReport(TypedDict):
    """What a search among hidden cards did."""

    iterations: int
    determinizations: int
    nodes: int
    sharing: float
    bytes: int

class _HiddenAdvice(_HiddenReport):
    """What `search_hidden` found."""

    best: Any
    edges: list[Any]

class _TwinCoolAdvice(_HiddenReport):
    """What `TwinCoolState.advise` found."""

    # Card, pile.
    best: tuple[int, int]
    # Card, pile, visits, times available, mean, prior.
    edges: list[tuple[int, int, int, int, float, float]]
    # Moves that lead to an information set (card, pile, card drawn), and its moves as in `edges`.
    seen: list[tuple[list[tuple[int, int, int | None]], list[tuple[int, int, int, int, float, float]]]]
    # Tree, iteration, deck, placements, score.
    trace: list[tuple[int, int, list[int], list[tuple[int, int]], float]]

@final
class TwinCoolState:
    @staticmethod
    def deal(seed: int) -> TwinCoolState: ...
    @staticmethod
    def from_parts(
        hand: list[int], piles: list[list[int]], deck: list[int], points: int
    ) -> TwinCoolState: ...
    @staticmethod
    def determinize(hand: list[int], piles: list[list[int]], points: int, seed: int) -> TwinCoolState: ...
    def play(self, card: int, pile: int) -> None: ...
    def moves(self) -> list[tuple[int, int]]: ...
    def hand(self) -> list[int]: ...
    def piles(self) -> list[list[int]]: ...
    def deck(self) -> list[int]: ...
    @property
    def points(self) -> int: ...
    @property
    def score(self) -> int: ...
    def equals(self, other: TwinCoolState) -> bool: ...
    def key(self, kind: str) -> int: ...
    def copy(self) -> TwinCoolState: ...
    def advise(
        self, strategy: str, options: dict[str, Any], seed: int, threads: int, trace: int, depth: int
    ) -> _TwinCoolAdvice | None: ...

@final
class StopFlag:
    def __new__(cls) -> StopFlag: ...
    def set(self) -> None: ...

def forbidden(
    boards: npt.NDArray[np.int8], out: npt.NDArray[np.uint8], threads: int
) -> npt.NDArray[np.bool_] | None: ...
def forbidden_points(
    boards: npt.NDArray[np.int8], skipped: npt.NDArray[np.bool_], threads: int
) -> list[tuple[npt.NDArray[np.uint8], npt.NDArray[np.int64]]]: ...
def forbidden_rows(
    boards: npt.NDArray[np.int8], threads: int
) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.bool_] | None]: ...
def winners(
    boards: npt.NDArray[np.int8], out: npt.NDArray[np.int8], threads: int
) -> npt.NDArray[np.bool_] | None: ...
def threat_map(
    boards: npt.NDArray[np.int8], color: int, out: npt.NDArray[np.uint8], threads: int
) -> npt.NDArray[np.bool_] | None: ...
def evaluate(
    boards: npt.NDArray[np.int8],
    turns: npt.NDArray[np.int8],
    network: bytes | None,
    out: npt.NDArray[np.float32],
    policy: npt.NDArray[np.float32] | None,
    threads: int,
) -> npt.NDArray[np.bool_] | None: ...
def keys(
    boards: npt.NDArray[np.int8],
    turns: npt.NDArray[np.int8],
    symmetric: bool,
    out: npt.NDArray[np.uint64],
    threads: int,
) -> npt.NDArray[np.bool_] | None: ...
def parse(
    records: Sequence[str | bytes],
    referee: bool,
    boards: npt.NDArray[np.int8],
    turns: npt.NDArray[np.int8],
    threads: int,
) -> npt.NDArray[np.bool_] | None: ...
def solve(
    boards: npt.NDArray[np.int8],
    turns: npt.NDArray[np.int8],
    *,
    kind: str,
    threat_limit: int,
    max_depth: int | None,
    nodes: int | None,
    time_s: float | None,
    deadline_s: float | None,
    progress: Callable[[int], object] | None,
    out: npt.NDArray[np.uint8],
    threads: int,
) -> npt.NDArray[np.bool_] | None: ...
def analyze(
    boards: npt.NDArray[np.int8],
    turns: npt.NDArray[np.int8],
    *,
    config: dict[str, int],
    hash_mb: int,
    multipv: int,
    reuse: bool,
    time_s: float | None,
    nodes: int | None,
    depth: int | None,
    deadline_s: float | None,
    progress: Callable[[int], object] | None,
    out: npt.NDArray[np.uint8],
    threads: int,
) -> npt.NDArray[np.bool_] | None: ...
def canonical(
    boards: npt.NDArray[np.int8],
    turns: npt.NDArray[np.int8],
    images: npt.NDArray[np.int8],
    symmetries: npt.NDArray[np.uint8],
    keys: npt.NDArray[np.uint64],
    threads: int,
) -> npt.NDArray[np.bool_] | None: ...
def expand(
    records: Sequence[str | bytes], referee: bool, first: int, last: int, only_last: bool, threads: int
) -> tuple[
    tuple[
        npt.NDArray[np.int8],
        npt.NDArray[np.int8],
        npt.NDArray[np.int64],
        npt.NDArray[np.uint16],
        npt.NDArray[np.int16],
        npt.NDArray[np.int8],
        npt.NDArray[np.int8],
        npt.NDArray[np.uint8],
        npt.NDArray[np.int64],
    ],
    list[tuple[int, Exception]],
]: ...
def prefixes(
    moves: npt.NDArray[np.uint8], starts: npt.NDArray[np.int64], counts: npt.NDArray[np.int64]
) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.int64]]: ...

# What the rows of a column hold: numbers; pieces of a text and where each ends; or words, their numbers, and
# where those of each row end if a row is a list of words.
_Values: TypeAlias = (
    npt.NDArray[np.int64]
    | npt.NDArray[np.uint64]
    | tuple[npt.NDArray[np.uint8], npt.NDArray[np.int64]]
    | tuple[list[bytes], npt.NDArray[np.int64], npt.NDArray[np.int64] | None]
)

def csv_table(columns: list[tuple[str, _Values, npt.NDArray[np.bool_] | None]]) -> bytes: ...
def prove_position(
    position: Position,
    *,
    color: int,
    threat_limit: int,
    first: list[int],
    hints: list[bytes],
    nodes: int | None,
    time_s: float | None,
    stop: StopFlag | None,
) -> _QuietAnswer: ...
def psq_line(text: str) -> bytes | None: ...
def read_quiet_proof(proof: bytes) -> tuple[int, int, int, int, int, int]: ...
def verify_quiet_proof(
    position: Position, proof: bytes, *, stop: StopFlag | None
) -> tuple[str | None, int, int, int]: ...
def follow_quiet_proof(start: Position, proof: bytes, target: Position) -> tuple[int, list[int]] | None: ...
def quiet_replies(position: Position, color: int) -> list[int]: ...
def solve_position(
    position: Position,
    *,
    color: int,
    kind: str,
    threat_limit: int,
    max_depth: int | None,
    shortest: bool,
    first: int | None,
    nodes: int | None,
    time_s: float | None,
    stop: StopFlag | None,
) -> _SolveTuple: ...
def search_hidden(game: object, observation: object, options: dict[str, Any], seed: int) -> _HiddenAdvice: ...
def twin_cool_games(
    strategy: str,
    options: dict[str, Any],
    *,
    seed: int,
    first: int,
    out: npt.NDArray[np.uint32],
    threads: int,
    progress: Callable[[int], object] | None,
    luck: npt.NDArray[np.float64] | None = None,
) -> npt.NDArray[np.bool_] | None: ...
def twin_cool_learn(
    *,
    rounds: int,
    positions: int,
    epochs: int,
    seed: int,
    threads: int,
    progress: Callable[[int, float], object] | None,
) -> bytes: ...
def twin_cool_points(hand: list[int]) -> int: ...
def values_arrays(text: str | None) -> tuple[npt.NDArray[np.int16], npt.NDArray[np.int16]]: ...
def values_text(cells: npt.NDArray[np.int16], threats: npt.NDArray[np.int16]) -> str: ...
def win_rate(score: int) -> tuple[float, float, float]: ...
def win_rates(scores: npt.NDArray[np.int32], out: npt.NDArray[np.float32]) -> None: ...
def opening_keys(positions: npt.NDArray[np.uint8]) -> npt.NDArray[np.uint64]: ...

@final
class Trainer:
    def __new__(
        cls,
        *,
        seed: int,
        threads: int,
        start: bytes | None,
        state: npt.NDArray[np.float32] | None,
        steps: int,
    ) -> Trainer: ...
    def learn(
        self,
        positions: npt.NDArray[np.uint8],
        order: npt.NDArray[np.uint32],
        *,
        batch: int,
        rate: float,
        result_share: float,
        score_scale: float,
        policy_weight: float,
        draw_weight: float,
    ) -> dict[str, float]: ...
    def measure(
        self,
        positions: npt.NDArray[np.uint8],
        order: npt.NDArray[np.uint32],
        *,
        result_share: float,
        score_scale: float,
    ) -> dict[str, float]: ...
    def network(self, recipe: str) -> bytes: ...
    def state(self) -> npt.NDArray[np.float32]: ...
    def steps(self) -> int: ...

def shipped_network() -> bytes: ...
def self_play(
    config: dict[str, int],
    *,
    values: str | None,
    network: bytes | None,
    nodes: int,
    hash_mb: int,
    opening_stones: tuple[int, int],
    opening_nodes: int,
    opening_bound: int,
    random_permille: int,
    beside: int,
    most_stones: int,
    seed: int,
    first: int,
    games: int,
    threads: int,
    progress: Callable[[int], object] | None,
) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.bool_] | None]: ...
def fit_values(
    positions: npt.NDArray[np.uint8],
    weights: npt.NDArray[np.float32],
    *,
    start: str | None,
    result_share: float,
    scale: float,
    pull: float,
    validation: float,
    iterations: int,
    patience: int,
    order: bool,
    seed: int,
    threads: int,
    progress: Callable[[str, int, float, float], object] | None,
) -> _Fit | None: ...
def verify(
    position: Position, color: int, kind: str, threat_limit: int, tree: _TreeTuple
) -> tuple[str | None, list[int], int]: ...
def parse_moves(text: str) -> list[int]: ...
def parse_point(text: str) -> int: ...
def transform_point(index: int, k: int) -> int: ...
def bad_cell(index: int, code: int) -> str: ...
def unclear_turn(black: int, white: int) -> str: ...

@final
class Memo:
    def __new__(cls, most_bytes: int, sizes: list[int]) -> Memo: ...
    def find(
        self,
        boards: npt.NDArray[np.int8],
        keys: npt.NDArray[np.uint64],
        wanted: npt.NDArray[np.int64],
        results: list[npt.NDArray[np.uint8]],
    ) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]: ...
    def add(
        self,
        boards: npt.NDArray[np.int8],
        keys: npt.NDArray[np.uint64],
        rows: npt.NDArray[np.int64],
        sources: npt.NDArray[np.int64],
        new: list[npt.NDArray[np.uint8]],
        results: list[npt.NDArray[np.uint8]],
    ) -> None: ...

@final
class SgfLines:
    def __new__(cls, text: str) -> SgfLines: ...
    def take(self, most: int) -> list[bytes]: ...
    @property
    def place(self) -> int: ...
    @place.setter
    def place(self, value: int) -> None: ...

@final
class Engine:
    def __new__(
        cls, config: dict[str, int], hash_mb: int, threads: int, values: str | None, network: bytes | None
    ) -> Engine: ...
    def stop(self) -> None: ...
    def begin(self) -> int: ...
    def clear(self) -> None: ...
    def move_value(self, position: Position, color: int, point: int) -> dict[str, int]: ...
    def static_value(self, position: Position, color: int) -> dict[str, int]: ...
    def think(
        self,
        call: int,
        position: Position,
        *,
        turn: int,
        time_s: float | None,
        nodes: int | None,
        depth: int | None,
        multipv: int,
        is_play: bool,
        seed: int,
        report: Callable[[_Iteration], None] | None,
    ) -> _Answer: ...

def check_config(config: dict[str, int]) -> None: ...
def inert_settings(config: dict[str, int]) -> list[tuple[str, str]]: ...
def level_config(level: str) -> dict[str, int]: ...
def signature() -> int: ...

@final
class Arena:
    def __new__(
        cls, count: int, openings: Sequence[Sequence[int]], seed: int, move_limit: int | None
    ) -> Arena: ...
    def begin(
        self,
        wanted: npt.NDArray[np.bool_],
        boards: npt.NDArray[np.int8],
        turns: npt.NDArray[np.int8],
        planes: npt.NDArray[np.uint8],
        masks: npt.NDArray[np.int8],
    ) -> None: ...
    def step(
        self,
        actions: npt.NDArray[np.int16],
        boards: npt.NDArray[np.int8],
        turns: npt.NDArray[np.int8],
        planes: npt.NDArray[np.uint8],
        masks: npt.NDArray[np.int8],
        ends: npt.NDArray[np.int16],
    ) -> None: ...
    def sample(self, wanted: npt.NDArray[np.bool_]) -> npt.NDArray[np.int16]: ...

def write_features(
    records: npt.NDArray[np.uint8],
    symmetries: npt.NDArray[np.uint8],
    planes: npt.NDArray[np.uint8],
    masks: npt.NDArray[np.int8],
    moves: npt.NDArray[np.int64],
    values: npt.NDArray[np.float32],
    known: npt.NDArray[np.bool_],
    threads: int,
) -> npt.NDArray[np.bool_] | None: ...
