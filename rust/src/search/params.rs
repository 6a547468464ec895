use std::ops::RangeInclusive;

use crate::eval::{Scores, Terms};
use crate::solve::MOST_THREAT_FOURS;
use crate::types::BOARD_SIZE;
use crate::types::score::{Score, WIN};

/// Defines [`Params`]: every switch and number of the engine, with its value at level hard and its
/// meaning.
macro_rules! params {
    ($($(#[$doc:meta])* $name:ident: $kind:ident = $default:expr;)*) => {
        /// What the engine may do and how far: one field for every switch and number. The values of a new
        /// one are those of level hard.
        #[derive(Clone, Debug, PartialEq, Eq)]
        pub struct Params {
            /// What shapes are worth.
            pub scores: Scores,
            $($(#[$doc])* pub $name: $kind,)*
        }

        impl Default for Params {
            fn default() -> Params {
                Params { scores: Scores::default(), $($name: $default,)* }
            }
        }

        impl Params {
            /// The names of all but the scores, in order, and whether each is a switch.
            pub const NAMES: &'static [(&'static str, bool)] =
                &[$((stringify!($name), is_switch!($kind)),)*];

            /// The value with this name, scores included; switches are 0 or 1.
            #[must_use]
            pub fn get(&self, name: &str) -> Option<i64> {
                match name {
                    $(stringify!($name) => Some(self.$name.into()),)*
                    _ => self.scores.get(name).map(i64::from),
                }
            }

            /// Sets the value with this name; false if there is no such name or it does not fit.
            #[must_use]
            pub fn set(&mut self, name: &str, value: i64) -> bool {
                if !range_of(name).contains(&value) {
                    return false;
                }
                match name {
                    $(stringify!($name) => value_of!($kind, value).map(|value| self.$name = value).is_some(),)*
                    _ => match (self.scores.get_mut(name), i32::try_from(value)) {
                        (Some(score), Ok(value)) => {
                            *score = value;
                            true
                        }
                        _ => false,
                    },
                }
            }
        }
    };
}

macro_rules! is_switch {
    (bool) => {
        true
    };
    ($kind:ident) => {
        false
    };
}

macro_rules! value_of {
    (bool, $value:expr) => {
        match $value {
            0 => Some(false),
            1 => Some(true),
            _ => None,
        }
    };
    ($kind:ident, $value:expr) => {
        $kind::try_from($value).ok()
    };
}

params! {
    /// Deepest iteration, in plies.
    depth: u32 = 4;
    /// Time for a move.
    time_ms: u32 = 8_000;
    /// Positions looked at for a move; 0 for no limit.
    nodes: u32 = 600_000;
    /// How often another move than the best is played, in per cent.
    random_percent: u32 = 0;
    /// How much worse it may be.
    random_threshold: u32 = 0;

    /// Look for a win by fours before searching.
    vcf: bool = true;
    /// Its fours.
    vcf_depth: u32 = 8;
    /// Its time.
    vcf_ms: u32 = 150;
    /// Its positions.
    vcf_nodes: u32 = 50_000;
    /// Look for a Mise-VCF.
    mise_vcf: bool = true;
    /// Its time.
    mise_vcf_ms: u32 = 500;
    /// Its positions.
    mise_vcf_nodes: u32 = 20_000;
    /// Look for a win by threats.
    vct: bool = true;
    /// Its attacks.
    vct_depth: u32 = 4;
    /// The fours that a threat may need, 1 to 3.
    vct_threat_limit: u32 = 1;
    /// Its time.
    vct_ms: u32 = 150;
    /// Its positions.
    vct_nodes: u32 = 10_000;
    /// Only from so many stones on.
    vct_from_stones: u32 = 14;
    /// Look for the opponent's win by fours and keep to moves that stop it.
    opponent_vcf: bool = true;

    /// Candidates are so near to a stone.
    radius: u32 = 2;
    /// Remember positions.
    table: bool = true;
    /// Search around the score of the depth before.
    aspiration: bool = true;
    /// So far.
    aspiration_window: u32 = 75;
    /// So far if that score was high.
    aspiration_high: u32 = 300;
    /// High.
    aspiration_high_from: u32 = 3_000;
    /// Try first what cut at this ply before.
    killers: bool = true;
    /// Try early what cut anywhere before.
    history: bool = true;
    /// Moves whose full value orders them at depth 4 and more, 3, less.
    order_deep: u32 = 3;
    /// See above.
    order_middle: u32 = 5;
    /// See above.
    order_shallow: u32 = 8;
    /// Late moves are first searched less deep.
    lmr: bool = true;
    /// From this move on, counted from 0.
    lmr_from: u32 = 3;
    /// From this depth on.
    lmr_depth: u32 = 3;
    /// Less by how much.
    lmr_reduction: u32 = 1;
    /// Reduce by the logarithms of depth and move number instead.
    lmr_log: bool = false;
    /// Sixteenths of a ply that are added to it,
    lmr_log_base: u32 = 8;
    /// and by how much the product of the logarithms, in sixteenths each, is divided.
    lmr_log_divisor: u32 = 64;
    /// May the opponent move twice and still not be better?
    null_move: bool = true;
    /// From this depth on.
    null_move_depth: u32 = 3;
    /// If the board is worth so much more than needed.
    null_move_margin: u32 = 1_000;
    /// Less deep by how much.
    null_move_reduction: u32 = 2;
    /// Near the leaves skip quiet moves that cannot reach alpha.
    futility: bool = true;
    /// Margins at depth 1, 2, 3 when the root's side moves.
    futility_own_1: u32 = 1_000;
    /// See above.
    futility_own_2: u32 = 200;
    /// See above.
    futility_own_3: u32 = 1_000;
    /// And when the other does.
    futility_other_1: u32 = 4_100;
    /// See above.
    futility_other_2: u32 = 1_300;
    /// See above.
    futility_other_3: u32 = 3_000;
    /// At the leaves go on with fours.
    quiescence: bool = true;
    /// So many.
    quiescence_depth: u32 = 2;
    /// Search only what answers a four or a three.
    mandatory_defence: bool = true;
    /// Never put off the answer to a threatened four-three.
    mise_defence: bool = true;
    /// One ply more, once in a line, where the score is high.
    score_extension: bool = false;
    /// High.
    score_extension_from: u32 = 5_000;
    /// Positions it may cost.
    score_extension_nodes: u32 = 20_000;

    /// At the leaves look for a win by fours.
    leaf_vcf: bool = false;
    /// Its positions.
    leaf_vcf_nodes: u32 = 200;
    /// Its fours.
    leaf_vcf_depth: u32 = 10;
    /// Look for one at inner nodes too.
    inner_vcf: bool = false;
    /// Its positions.
    inner_vcf_nodes: u32 = 1_000;
    /// Near the leaves a hopeless position gets a win by fours or nothing.
    razoring: bool = false;
    /// Hopeless: so much below alpha for each ply.
    razoring_margin: u32 = 150;
    /// Near the leaves a position far above beta is good enough.
    reverse_futility: bool = false;
    /// Far: so much for each ply.
    reverse_futility_margin: u32 = 60;
    /// Near: up to this depth.
    reverse_futility_depth: u32 = 6;
    /// Near the leaves only so many quiet moves are tried.
    move_count_pruning: bool = false;
    /// So many at least,
    move_count_base: u32 = 4;
    /// and so many per cent of the square of the depth more.
    move_count_percent: u32 = 100;
    /// Up to this depth.
    move_count_depth: u32 = 6;
    /// Treat a mere four as a quiet move where no win by fours was found.
    quiet_fours: bool = false;
    /// What it is worth less in the ordering then.
    quiet_four_penalty: u32 = 1_300;
    /// Near the leaves skip quiet moves if the board is so much below alpha for each ply.
    late_futility: bool = false;
    /// So much.
    late_futility_margin: u32 = 60;
    /// The answer to a four costs no depth.
    block_extension: bool = false;
    /// A move far better than all others is searched deeper.
    singular: bool = false;
    /// Use what an unfinished depth has found.
    keep_unfinished: bool = false;

    /// Per cent of the time with up to six stones.
    opening_time_percent: u32 = 50;
    /// Per cent of the time with up to three candidates.
    few_time_percent: u32 = 30;
    /// A new depth starts before so many per cent of the time.
    depth_start_percent: u32 = 80;
    /// An interrupted search falls back to a depth that scored so much,
    fallback_score: u32 = 2_500;
    /// if that is so much above the result.
    fallback_gap: u32 = 1_500;

    /// [`Terms::mise`].
    mise_term: bool = true;
    /// [`Terms::multi_direction`].
    multi_direction_term: bool = true;
    /// [`Terms::counter_four`].
    counter_four_term: bool = true;
    /// [`Terms::fukumi`].
    fukumi_term: bool = true;
    /// [`Terms::trap`].
    trap_term: bool = true;
    /// [`Terms::vulnerability`].
    vulnerability_term: bool = true;
    /// [`Terms::single_four_keep`].
    single_four_keep_percent: u32 = 0;
    /// Value boards by the fitted table, not by the scores.
    fitted: bool = false;
}

/// What a setting may be: what makes sense, and nothing that could overflow.
#[must_use]
pub fn range_of(name: &str) -> RangeInclusive<i64> {
    match name {
        "depth" => 1..=DEEPEST.into(),
        "lmr_log_divisor" => 1..=1_000,
        "vcf_depth" | "vct_depth" => 1..=1_000,
        "inner_vcf_nodes" | "leaf_vcf_nodes" => 0..=10_000,
        "vct_threat_limit" => 1..=MOST_THREAT_FOURS as i64,
        "radius" => 1..=BOARD_SIZE as i64,
        "aspiration_window" | "aspiration_high" => 1..=WIN.into(),
        "time_ms" | "nodes" => 0..=u32::MAX.into(),
        "random_percent" | "single_four_keep_percent" => 0..=100,
        _ if name.ends_with("_percent") => 0..=1_000,
        _ if Scores::NAMES.contains(&name) => -1_000_000..=1_000_000,
        _ => 0..=1_000_000,
    }
}

/// No limit of depth.
pub const DEEPEST: u32 = 100;

impl Params {
    /// How far from the score of the last depth that of the next is looked for.
    #[must_use]
    pub fn window(&self, score: Score) -> Score {
        let is_high = score.abs() >= self.aspiration_high_from as Score;
        (if is_high { self.aspiration_high } else { self.aspiration_window }) as Score
    }

    /// Which terms count in the value of a move.
    #[must_use]
    pub fn terms(&self) -> Terms {
        Terms {
            mise: self.mise_term,
            multi_direction: self.multi_direction_term,
            counter_four: self.counter_four_term,
            fukumi: self.fukumi_term,
            trap: self.trap_term,
            vulnerability: self.vulnerability_term,
            single_four_keep: self.single_four_keep_percent as i32,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_found_by_name() {
        let mut params = Params::default();
        assert_eq!(
            (params.get("depth"), params.get("lmr"), params.get("open_two")),
            (Some(4), Some(1), Some(50))
        );
        assert!(params.set("lmr", 0) && params.set("open_two", -3) && params.set("depth", 9));
        assert_eq!((params.lmr, params.scores.open_two, params.depth), (false, -3, 9));
        assert!(!params.set("lmr", 2) && !params.set("depth", -1) && !params.set("no_such_thing", 1));
        assert!(Params::NAMES.iter().all(|(name, _)| params.get(name).is_some()));
        assert!(
            Params::NAMES.iter().all(|(name, _)| Scores::default().get(name).is_none()),
            "names are unique"
        );
    }

    #[test]
    fn high_scores_get_a_wide_window() {
        let params = Params::default();
        assert_eq!(
            [0, 2_999, -2_999, 3_000, -3_000, 9_000].map(|score| params.window(score)),
            [75, 75, 75, 300, 300, 300]
        );
    }
}
