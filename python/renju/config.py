"""What the engine may do and how far: every limit, switch and score, one field each."""

from __future__ import annotations

import tomllib
from dataclasses import asdict, dataclass, fields, replace
from pathlib import Path
from typing import Any

from renju import _native
from renju._files import write_text
from renju.errors import FormatError

__all__ = ["LEVELS", "EngineConfig", "toml_values"]

LEVELS: tuple[str, ...] = _native.LEVELS
"""Names of the levels, weakest first."""

# The values live in the core; a new configuration is that of level hard.
_HARD = _native.level_config("hard")


@dataclass(frozen=True)
class EngineConfig:
    """Every setting of the engine. What each one does is told in docs/how-it-thinks.md.

    >>> import renju
    >>> config = renju.EngineConfig.from_level("medium")
    >>> config.depth, config.vct, config.null_move, config.open_three
    (3, True, False, 1000)
    >>> config.replace(depth=5, open_three=900).depth
    5
    """

    depth: int = int(_HARD["depth"])
    time_ms: int = int(_HARD["time_ms"])
    nodes: int = int(_HARD["nodes"])
    random_percent: int = int(_HARD["random_percent"])
    random_threshold: int = int(_HARD["random_threshold"])
    vcf: bool = bool(_HARD["vcf"])
    vcf_depth: int = int(_HARD["vcf_depth"])
    vcf_ms: int = int(_HARD["vcf_ms"])
    vcf_nodes: int = int(_HARD["vcf_nodes"])
    mise_vcf: bool = bool(_HARD["mise_vcf"])
    mise_vcf_ms: int = int(_HARD["mise_vcf_ms"])
    mise_vcf_nodes: int = int(_HARD["mise_vcf_nodes"])
    vct: bool = bool(_HARD["vct"])
    vct_depth: int = int(_HARD["vct_depth"])
    vct_threat_limit: int = int(_HARD["vct_threat_limit"])
    vct_ms: int = int(_HARD["vct_ms"])
    vct_nodes: int = int(_HARD["vct_nodes"])
    vct_from_stones: int = int(_HARD["vct_from_stones"])
    opponent_vcf: bool = bool(_HARD["opponent_vcf"])
    radius: int = int(_HARD["radius"])
    table: bool = bool(_HARD["table"])
    aspiration: bool = bool(_HARD["aspiration"])
    aspiration_window: int = int(_HARD["aspiration_window"])
    aspiration_high: int = int(_HARD["aspiration_high"])
    aspiration_high_from: int = int(_HARD["aspiration_high_from"])
    killers: bool = bool(_HARD["killers"])
    history: bool = bool(_HARD["history"])
    order_deep: int = int(_HARD["order_deep"])
    order_middle: int = int(_HARD["order_middle"])
    order_shallow: int = int(_HARD["order_shallow"])
    lmr: bool = bool(_HARD["lmr"])
    lmr_from: int = int(_HARD["lmr_from"])
    lmr_depth: int = int(_HARD["lmr_depth"])
    lmr_reduction: int = int(_HARD["lmr_reduction"])
    lmr_log: bool = bool(_HARD["lmr_log"])
    lmr_log_base: int = int(_HARD["lmr_log_base"])
    lmr_log_divisor: int = int(_HARD["lmr_log_divisor"])
    null_move: bool = bool(_HARD["null_move"])
    null_move_depth: int = int(_HARD["null_move_depth"])
    null_move_margin: int = int(_HARD["null_move_margin"])
    null_move_reduction: int = int(_HARD["null_move_reduction"])
    futility: bool = bool(_HARD["futility"])
    futility_own_1: int = int(_HARD["futility_own_1"])
    futility_own_2: int = int(_HARD["futility_own_2"])
    futility_own_3: int = int(_HARD["futility_own_3"])
    futility_other_1: int = int(_HARD["futility_other_1"])
    futility_other_2: int = int(_HARD["futility_other_2"])
    futility_other_3: int = int(_HARD["futility_other_3"])
    quiescence: bool = bool(_HARD["quiescence"])
    quiescence_depth: int = int(_HARD["quiescence_depth"])
    mandatory_defence: bool = bool(_HARD["mandatory_defence"])
    mise_defence: bool = bool(_HARD["mise_defence"])
    score_extension: bool = bool(_HARD["score_extension"])
    score_extension_from: int = int(_HARD["score_extension_from"])
    score_extension_nodes: int = int(_HARD["score_extension_nodes"])
    leaf_vcf: bool = bool(_HARD["leaf_vcf"])
    leaf_vcf_nodes: int = int(_HARD["leaf_vcf_nodes"])
    leaf_vcf_depth: int = int(_HARD["leaf_vcf_depth"])
    inner_vcf: bool = bool(_HARD["inner_vcf"])
    inner_vcf_nodes: int = int(_HARD["inner_vcf_nodes"])
    razoring: bool = bool(_HARD["razoring"])
    razoring_margin: int = int(_HARD["razoring_margin"])
    reverse_futility: bool = bool(_HARD["reverse_futility"])
    reverse_futility_margin: int = int(_HARD["reverse_futility_margin"])
    reverse_futility_depth: int = int(_HARD["reverse_futility_depth"])
    move_count_pruning: bool = bool(_HARD["move_count_pruning"])
    move_count_base: int = int(_HARD["move_count_base"])
    move_count_percent: int = int(_HARD["move_count_percent"])
    move_count_depth: int = int(_HARD["move_count_depth"])
    quiet_fours: bool = bool(_HARD["quiet_fours"])
    quiet_four_penalty: int = int(_HARD["quiet_four_penalty"])
    late_futility: bool = bool(_HARD["late_futility"])
    late_futility_margin: int = int(_HARD["late_futility_margin"])
    block_extension: bool = bool(_HARD["block_extension"])
    singular: bool = bool(_HARD["singular"])
    keep_unfinished: bool = bool(_HARD["keep_unfinished"])
    opening_time_percent: int = int(_HARD["opening_time_percent"])
    few_time_percent: int = int(_HARD["few_time_percent"])
    depth_start_percent: int = int(_HARD["depth_start_percent"])
    fallback_score: int = int(_HARD["fallback_score"])
    fallback_gap: int = int(_HARD["fallback_gap"])
    mise_term: bool = bool(_HARD["mise_term"])
    multi_direction_term: bool = bool(_HARD["multi_direction_term"])
    counter_four_term: bool = bool(_HARD["counter_four_term"])
    fukumi_term: bool = bool(_HARD["fukumi_term"])
    trap_term: bool = bool(_HARD["trap_term"])
    vulnerability_term: bool = bool(_HARD["vulnerability_term"])
    single_four_keep_percent: int = int(_HARD["single_four_keep_percent"])
    fitted: bool = bool(_HARD["fitted"])

    # Scores.
    five: int = int(_HARD["five"])
    open_four: int = int(_HARD["open_four"])
    four_three: int = int(_HARD["four_three"])
    double_mise: int = int(_HARD["double_mise"])
    trap_strong: int = int(_HARD["trap_strong"])
    trap_three: int = int(_HARD["trap_three"])
    leaf_four_three: int = int(_HARD["leaf_four_three"])
    four: int = int(_HARD["four"])
    trap_setup: int = int(_HARD["trap_setup"])
    fukumi: int = int(_HARD["fukumi"])
    mise: int = int(_HARD["mise"])
    open_three: int = int(_HARD["open_three"])
    multi_direction: int = int(_HARD["multi_direction"])
    defence_crossing: int = int(_HARD["defence_crossing"])
    open_two: int = int(_HARD["open_two"])
    closed_three: int = int(_HARD["closed_three"])
    connectivity: int = int(_HARD["connectivity"])
    closed_two: int = int(_HARD["closed_two"])
    center: int = int(_HARD["center"])
    vulnerability_strong: int = int(_HARD["vulnerability_strong"])
    vulnerability_weak: int = int(_HARD["vulnerability_weak"])
    vulnerability_most: int = int(_HARD["vulnerability_most"])
    single_four: int = int(_HARD["single_four"])
    counter_four_percent: int = int(_HARD["counter_four_percent"])
    diagonal_percent: int = int(_HARD["diagonal_percent"])
    defence_five_percent: int = int(_HARD["defence_five_percent"])
    defence_open_four_percent: int = int(_HARD["defence_open_four_percent"])
    defence_four_percent: int = int(_HARD["defence_four_percent"])
    defence_open_three_percent: int = int(_HARD["defence_open_three_percent"])
    defence_closed_three_percent: int = int(_HARD["defence_closed_three_percent"])
    defence_open_two_percent: int = int(_HARD["defence_open_two_percent"])
    defence_closed_two_percent: int = int(_HARD["defence_closed_two_percent"])

    def __post_init__(self) -> None:
        for field in fields(self):
            value = getattr(self, field.name)
            wanted = bool if field.type == "bool" else int
            if type(value) is not wanted:
                what = "True or False" if wanted is bool else "a whole number"
                raise TypeError(f"{field.name} is {what}, not {value!r}")
        _native.check_config(asdict(self))

    @classmethod
    def from_level(cls, level: str) -> EngineConfig:
        """The settings of a level: beginner, easy, medium, hard or master."""
        if level not in LEVELS:
            raise ValueError(f"level is {', '.join(LEVELS[:-1])} or {LEVELS[-1]}, not {level!r}")
        return cls(**_native.level_config(level))  # type: ignore[arg-type]  # switches are bool

    @classmethod
    def from_toml(cls, path: str | Path) -> EngineConfig:
        """Settings from a file: ``level = "hard"`` if wanted, then any fields in place of its own."""
        try:
            values = toml_values(Path(path).read_text(encoding="utf-8"))
            return cls.from_level(values.pop("level", "hard")).replace(**values)
        except (TypeError, ValueError) as error:
            raise FormatError(f"{path}: {error}") from None

    def to_toml(self, path: str | Path | None = None) -> str:
        """All settings as TOML text, which is also written to `path` if given."""
        lines = (f"{name} = {str(value).lower()}" for name, value in asdict(self).items())
        text = "\n".join(lines) + "\n"
        if path is not None:
            write_text(Path(path), text)
        return text

    def replace(self, **changes: Any) -> EngineConfig:
        """The same with other values; `ValueError` for a setting that does not exist."""
        unknown = sorted(changes.keys() - {field.name for field in fields(self)})
        if unknown:
            raise ValueError(f"there is no setting {unknown[0]!r}")
        return replace(self, **changes)


def toml_values(text: str) -> dict[str, Any]:
    """The values of a TOML text; `ValueError` if it is none."""
    try:
        return tomllib.loads(text)
    except RecursionError:
        raise ValueError("the TOML is nested too deeply") from None
