//! Every switch and number of the engine: the one place where they are declared.

use crate::eval::{Scores, Terms};
use crate::solve::MOST_THREAT_FOURS;
use crate::types::score::{Score, WIN};
use crate::types::setting::settings;
use crate::types::{BOARD_SIZE, Setting};

/// One of the three numbers that let the full value of moves order them is not 0.
const ORDERS: &str = "order_deep or order_middle or order_shallow";

/// The greatest number of most settings that count nodes, points of score or milliseconds.
const MANY: u32 = 1_000_000;

settings! {
    /// What the engine may do and how far: a field for every switch and number. The values of a new one are
    /// those of level hard; the other levels are differences to it.
    pub struct Params {
        /// What shapes are worth.
        scores: Scores,
    }

    /// Depth of the deepest iteration.
    depth: u32 = 4, in 1..=DEEPEST, "plies";
    /// Time for a move, where the call does not say otherwise.
    time_ms: u32 = 8_000, in 0..=u32::MAX, "milliseconds";
    /// Positions looked at for a move, where the call does not say otherwise; 0 for no limit.
    nodes: u32 = 600_000, in 0..=u32::MAX, "nodes";
    /// How often another move than the best is played.
    random_percent: u32 = 0, in 0..=100, "per cent of moves";
    /// How far below the best score a move played at random may be.
    random_threshold: u32 = 0, in 0..=MANY, "points of score", if ["random_percent"];

    /// Moves that are drawn at random where one is played at random; the best of them is played.
    random_draws: u32 = 1, in 1..=1_000, "moves", if ["random_percent"];
    /// How often an own five is overlooked in play.
    overlook_five_percent: u32 = 0, in 0..=100, "per cent of positions";
    /// How often a four of the opponent is overlooked in play.
    overlook_four_percent: u32 = 0, in 0..=100, "per cent of positions";
    /// How often an open three of the opponent, which threatens a straight four, is overlooked in play.
    overlook_three_percent: u32 = 0, in 0..=100, "per cent of positions";
    /// How often own wins by fours, by a mise and by threats are not looked for in play.
    overlook_win_percent: u32 = 0, in 0..=100, "per cent of positions", if ["vcf or mise_vcf or vct"];
    /// How often the opponent's win by fours is not looked for in play, where the opponent has no open three.
    overlook_vcf_percent: u32 = 0, in 0..=100, "per cent of positions", if ["opponent_vcf"];

    /// Look for a win by fours (VCF) before the search.
    vcf: bool = true;
    /// Fours that a VCF before the search may have.
    vcf_depth: u32 = 8, in 1..=1_000, "attacker's stones", if ["vcf or opponent_vcf"];
    /// Time that a VCF before the search may take.
    vcf_ms: u32 = 150, in 0..=MANY, "milliseconds", if ["vcf or opponent_vcf"];
    /// Positions that a VCF before the search may look at.
    vcf_nodes: u32 = 50_000, in 0..=MANY, "nodes", if ["vcf or opponent_vcf"];
    /// Look for a Mise-VCF before the search.
    mise_vcf: bool = true;
    /// Time that the Mise-VCF may take.
    mise_vcf_ms: u32 = 500, in 0..=MANY, "milliseconds", if ["mise_vcf"];
    /// Stones that the attacker may need in a Mise-VCF, the first stone included; 0 for no limit.
    mise_vcf_depth: u32 = 13, in 0..=1_000, "attacker's stones", if ["mise_vcf"];
    /// Positions that the Mise-VCF may look at.
    mise_vcf_nodes: u32 = 20_000, in 0..=MANY, "nodes", if ["mise_vcf"];
    /// Look for a win by threats (VCT) before the search.
    vct: bool = true;
    /// Stones that the attacker may need in a VCT before the fours at its end.
    vct_depth: u32 = 4, in 1..=1_000, "attacker's stones", if ["vct"];
    /// Fours that a VCT may end with beyond `vct_depth`.
    vct_end_fours: u32 = 8, in 0..=1_000, "attacker's stones", if ["vct"];
    /// Fours that a single threat of a VCT may need.
    vct_threat_limit: u32 = 1, in 1..=MOST_THREAT_FOURS, "fours", if ["vct"];
    /// Time that the VCT may take.
    vct_ms: u32 = 150, in 0..=MANY, "milliseconds", if ["vct"];
    /// Positions that the VCT may look at.
    vct_nodes: u32 = 10_000, in 0..=MANY, "nodes", if ["vct"];
    /// Search the first stone of a VCT that was neither proved nor refuted before all other moves.
    vct_hint: bool = true, if ["vct"];
    /// Stones that a board must have for a VCT to be looked for.
    vct_from_stones: u32 = 14, in 0..=MANY, "stones", if ["vct"];
    /// Look for the opponent's win by fours before the search, and keep to the moves that stop it.
    opponent_vcf: bool = true;
    /// Positions looked at to see whether the opponent's win by fours is gone after a move.
    refutation_nodes: u32 = 2_000, in 0..=MANY, "nodes", if ["opponent_vcf"];
    /// Each of the searches before the search may take one part in this number of the time and of the nodes.
    threat_share: u32 = 8, in 1..=1_000, "parts", if ["vcf or mise_vcf or vct or opponent_vcf"];

    /// Distance from a stone up to which points are candidates.
    radius: u32 = 2, in 1..=BOARD_SIZE, "points";
    /// Remember positions in the transposition table.
    table: bool = true;
    /// Aspiration window: search around the score of the depth before.
    aspiration: bool = true;
    /// Half the width of the aspiration window.
    aspiration_window: u32 = 75, in 1..=WIN, "points of score", if ["aspiration"];
    /// Half the width of the aspiration window around a high score.
    aspiration_high: u32 = 300, in 1..=WIN, "points of score", if ["aspiration"];
    /// Score from which on `aspiration_high` is the width.
    aspiration_high_from: u32 = 3_000, in 0..=MANY, "points of score", if ["aspiration"];
    /// Factor by which a window that was missed grows.
    aspiration_growth: u32 = 4, in 2..=1_000, "times", if ["aspiration"];
    /// Half the width from which on a window is opened on the side where it was missed.
    aspiration_most: u32 = 1_000, in 0..=MANY, "points of score", if ["aspiration"];
    /// Killers: try first what cut at this ply before.
    killers: bool = true;
    /// History: try early what cut anywhere before.
    history: bool = true;
    /// Greatest history of a move; the nearer to it, the less a further cut adds.
    history_most: u32 = 8_000, in 1_000..=MANY, "points of history", if ["history or lmr_log"];
    /// Most that one cut adds to the history; at small depths it adds the square of the depth.
    history_bonus_most: u32 = 400, in 1..=1_000, "points of history", if ["history or lmr_log"];
    /// Points of history that make one point in the order of moves.
    history_order: u32 = 16, in 1..=MANY, "points of history", if ["history"];
    /// Moves ordered by their full value at depth 4 and more.
    order_deep: u32 = 3, in 0..=MANY, "moves";
    /// Moves ordered by their full value at depth 3.
    order_middle: u32 = 5, in 0..=MANY, "moves";
    /// Moves ordered by their full value at depths 1 and 2.
    order_shallow: u32 = 8, in 0..=MANY, "moves";
    /// Late move reductions: late quiet moves are first searched less deep.
    lmr: bool = true;
    /// Number of the first move that is reduced, counted from 0.
    lmr_from: u32 = 3, in 0..=MANY, "moves", if ["lmr"];
    /// Least depth at which moves are reduced.
    lmr_depth: u32 = 3, in 0..=MANY, "plies", if ["lmr"];
    /// Depth that a late move loses.
    lmr_reduction: u32 = 1, in 0..=MANY, "plies", if ["lmr", "not lmr_log"];
    /// Let the reduction grow with the logarithms of depth and move number, in place of `lmr_reduction`.
    lmr_log: bool = false, if ["lmr"];
    /// Reduction that is added to the product of the logarithms.
    lmr_log_base: u32 = 8, in 0..=MANY, "sixteenths of a ply", if ["lmr", "lmr_log"];
    /// Number by which the product of the logarithms, each in sixteenths, is divided.
    lmr_log_divisor: u32 = 64, in 1..=1_000, "sixteenths", if ["lmr", "lmr_log"];
    /// How much less a late move is reduced in an open window.
    lmr_open: u32 = 16, in 0..=MANY, "sixteenths of a ply", if ["lmr", "lmr_log"];
    /// How much less a late move is reduced that makes a three.
    lmr_three: u32 = 16, in 0..=MANY, "sixteenths of a ply", if ["lmr", "lmr_log"];
    /// Points of history that reduce a late move by a sixteenth of a ply less.
    lmr_history: u32 = 256, in 1..=MANY, "points of history", if ["lmr", "lmr_log"];
    /// Reduce late moves of the root, too, by one ply less than elsewhere.
    lmr_root: bool = false, if ["lmr"];
    /// Null move: if the opponent may move twice and is still not better, the position is good enough.
    null_move: bool = true;
    /// Least depth for a null move.
    null_move_depth: u32 = 3, in 0..=MANY, "plies", if ["null_move"];
    /// How far the board must be above beta for a null move.
    null_move_margin: u32 = 1_000, in 0..=MANY, "points of score", if ["null_move"];
    /// Depth that the search after a null move loses.
    null_move_reduction: u32 = 2, in 0..=MANY, "plies", if ["null_move"];
    /// Plies of depth for each of which the search after a null move loses another ply; 0 for none.
    null_move_divisor: u32 = 0, in 0..=MANY, "plies", if ["null_move"];
    /// Internal iterative reduction: a position without a move from the table is searched one ply less deep
    /// from this depth on; 0 for never.
    iir_depth: u32 = 0, in 0..=MANY, "plies";
    /// Futility pruning: near the leaves skip quiet moves that cannot reach alpha.
    futility: bool = true;
    /// Margin of futility at depth 1 when the side of the root moves.
    futility_own_1: u32 = 1_000, in 0..=MANY, "points of score", if ["futility"];
    /// Margin of futility at depth 2 when the side of the root moves.
    futility_own_2: u32 = 200, in 0..=MANY, "points of score", if ["futility"];
    /// Margin of futility at depth 3 when the side of the root moves.
    futility_own_3: u32 = 1_000, in 0..=MANY, "points of score", if ["futility"];
    /// Margin of futility at depth 1 when the opponent of the root's side moves.
    futility_other_1: u32 = 4_100, in 0..=MANY, "points of score", if ["futility"];
    /// Margin of futility at depth 2 when the opponent of the root's side moves.
    futility_other_2: u32 = 1_300, in 0..=MANY, "points of score", if ["futility"];
    /// Margin of futility at depth 3 when the opponent of the root's side moves.
    futility_other_3: u32 = 3_000, in 0..=MANY, "points of score", if ["futility"];
    /// Quiescence search: at the leaves go on with fours.
    quiescence: bool = true, if ["not leaf_vcf"];
    /// Fours that quiescence may play in a line.
    quiescence_depth: u32 = 2, in 0..=MANY, "fours", if ["quiescence", "not leaf_vcf"];
    /// Search only the moves that answer a four or a three.
    mandatory_defence: bool = true;
    /// Never reduce or skip the answer to a threatened four-three.
    mise_defence: bool = true;
    /// Extend a line by one ply, once, where the score at its end is high.
    score_extension: bool = false;
    /// Score from which on a line is extended.
    score_extension_from: u32 = 5_000, in 0..=MANY, "points of score", if ["score_extension"];
    /// Positions that the extensions of one search may cost.
    score_extension_nodes: u32 = 20_000, in 0..=MANY, "nodes", if ["score_extension"];

    /// At the leaves look for a win by fours, in place of quiescence.
    leaf_vcf: bool = false;
    /// Positions that a VCF at a leaf may look at.
    leaf_vcf_nodes: u32 = 200, in 0..=10_000, "nodes", if ["leaf_vcf"];
    /// Fours that a VCF inside the search may have.
    leaf_vcf_depth: u32 = 10, in 0..=MANY, "attacker's stones", if ["leaf_vcf or inner_vcf"];
    /// Look for a win by fours at inner nodes, too.
    inner_vcf: bool = false;
    /// Positions that a VCF at an inner node may look at.
    inner_vcf_nodes: u32 = 1_000, in 0..=10_000, "nodes", if ["inner_vcf"];
    /// Razoring: near the leaves a hopeless position gets its quiescence and no search.
    razoring: bool = false;
    /// How far below alpha a hopeless position is, for each ply of depth and one.
    razoring_margin: u32 = 150, in 0..=MANY, "points of score", if ["razoring"];
    /// Greatest depth of razoring.
    razoring_depth: u32 = 3, in 0..=MANY, "plies", if ["razoring"];
    /// Reverse futility: near the leaves a position far above beta is good enough.
    reverse_futility: bool = false;
    /// How far above beta such a position is, for each ply of depth.
    reverse_futility_margin: u32 = 60, in 0..=MANY, "points of score", if ["reverse_futility"];
    /// Greatest depth of reverse futility.
    reverse_futility_depth: u32 = 6, in 0..=MANY, "plies", if ["reverse_futility"];
    /// Move count pruning: near the leaves quiet moves after the first ones are skipped.
    move_count_pruning: bool = false;
    /// Moves that are tried at every depth before move count pruning.
    move_count_base: u32 = 4, in 0..=MANY, "moves", if ["move_count_pruning"];
    /// Further moves that are tried, as a share of the square of the depth.
    move_count_percent: u32 = 100, in 0..=1_000, "per cent", if ["move_count_pruning"];
    /// Greatest depth of move count pruning.
    move_count_depth: u32 = 6, in 0..=MANY, "plies", if ["move_count_pruning"];
    /// Treat a mere four as a quiet move where no win by fours was found.
    quiet_fours: bool = false;
    /// Treat a stone that only takes a mere four from the opponent as a quiet move.
    quiet_takes: bool = false;
    /// Late move reductions for answers to a three, by this number less than for others; more than the
    /// greatest reduction for none.
    lmr_answer: u32 = 1_000, in 0..=1_000, "sixteenths of a ply", if ["lmr", "lmr_log"];
    /// Take an undecided score of the table for the value of the board where its bound points that way.
    table_value: bool = false, if ["table"];
    /// Look for a win by fours at inner nodes only if the position is not in the table.
    inner_vcf_new: bool = false, if ["inner_vcf"];
    /// Multi-cut: if without the move of the table the score is beyond beta, too, cut; if the table's is, search
    /// its move one ply less deep.
    multi_cut: bool = false, if ["singular", "table"];
    /// What a mere four is worth less in the order of moves.
    quiet_four_penalty: u32 = 1_300, in 0..=MANY, "points of score", if ["quiet_fours"];
    /// Late futility: near the leaves skip quiet moves if the board is far below alpha.
    late_futility: bool = false;
    /// How far below alpha the board is then, for each ply of depth and one.
    late_futility_margin: u32 = 60, in 0..=MANY, "points of score", if ["late_futility"];
    /// Greatest depth of late futility.
    late_futility_depth: u32 = 6, in 0..=MANY, "plies", if ["late_futility"];
    /// The answer to a four costs no depth.
    block_extension: bool = false;
    /// Singular extension: a move of the table that is far better than all others is searched a ply deeper.
    singular: bool = false, if ["table"];
    /// Least depth for a singular extension.
    singular_depth: u32 = 6, in 1..=MANY, "plies", if ["singular", "table"];
    /// How much less deep than the position its entry in the table may be for a singular extension.
    singular_entry: u32 = 3, in 0..=MANY, "plies", if ["singular", "table"];
    /// How far below the table's score all other moves must be, for each ply of depth.
    singular_margin: u32 = 3, in 0..=MANY, "points of score", if ["singular", "table"];
    /// Use what an unfinished depth has found.
    keep_unfinished: bool = false;

    /// Share of the time for a move that openings get.
    opening_time_percent: u32 = 50, in 0..=1_000, "per cent";
    /// Boards with at most this number of stones are openings.
    opening_stones: u32 = 6, in 0..=MANY, "stones";
    /// Share of the time for a move that positions with few candidates get.
    few_time_percent: u32 = 30, in 0..=1_000, "per cent";
    /// At most this number of candidates are few.
    few_candidates: u32 = 3, in 0..=MANY, "moves";
    /// Share of the time within which a new depth may start.
    depth_start_percent: u32 = 80, in 0..=1_000, "per cent";
    /// Score from which on a finished depth may replace the result of an interrupted search.
    fallback_score: u32 = 2_500, in 0..=MANY, "points of score";
    /// How far above the result that depth must be.
    fallback_gap: u32 = 1_500, in 0..=MANY, "points of score";

    /// Count [`Terms::mise`] in the full value of moves.
    mise_term: bool = true, if [ORDERS];
    /// Count [`Terms::multi_direction`] in the full value of moves.
    multi_direction_term: bool = true, if [ORDERS];
    /// Count [`Terms::counter_four`] in the full value of moves.
    counter_four_term: bool = true, if [ORDERS];
    /// Count [`Terms::fukumi`] in the full value of moves.
    fukumi_term: bool = true, if [ORDERS];
    /// Fours that the win by fours may have which a fukumi threatens.
    fukumi_fours: u32 = Terms::ALL.fukumi_fours as u32, in 1..=1_000, "attacker's stones", if ["fukumi_term", ORDERS];
    /// Positions looked at to see whether a stone is a fukumi.
    fukumi_nodes: u32 = Terms::ALL.fukumi_nodes as u32, in 0..=10_000, "nodes", if ["fukumi_term", ORDERS];
    /// Count [`Terms::trap`] in the full value of moves.
    trap_term: bool = true, if [ORDERS];
    /// Count [`Terms::vulnerability`] in the full value of moves.
    vulnerability_term: bool = true, if [ORDERS];
    /// Share of its value that a four keeps which makes no three and leads nowhere.
    single_four_keep_percent: u32 = 0, in 0..=100, "per cent", if [ORDERS];
    /// Count in the value of a board the opponent's four-threes, scored by `mise` and `double_mise`.
    leaf_mise_term: bool = false, if ["not fitted"];
    /// Count in the value of a board the opponent's threat to win by fours, scored by `fukumi`.
    leaf_fukumi_term: bool = false, if ["not fitted"];
    /// Count in the value of a board white's threes and fours that end in black's forbidden points, scored by `trap_three` and `trap_setup`.
    leaf_trap_term: bool = false, if ["not fitted"];
    /// Count in the value of a board black's threes that end in forbidden points, scored as for moves.
    leaf_vulnerability_term: bool = false, if ["not fitted"];
    /// Count in the value of a board cells with threats in several directions, scored by `multi_direction`.
    leaf_multi_direction_term: bool = false, if ["not fitted"];
    /// Count in the value of a board a four that also takes a shape from the opponent, scored by `counter_four_percent`.
    leaf_counter_four_term: bool = false, if ["not fitted"];
    /// Count in the value of a board stones with neighbours along several lines, scored by `connectivity`.
    leaf_connectivity_term: bool = false, if ["not fitted"];
    /// Count in the value of a board how near to the centre the stones are, scored by `center`.
    leaf_center_term: bool = false, if ["not fitted"];
    /// Value boards by the table fitted to games, not by the scores.
    fitted: bool = false;
    /// Value boards by the network, too, whose numbers are added to a share of the fitted table's.
    network: bool = false, if ["fitted"];
    /// The number of points by which the table alone must be above a bound for the network not to be asked.
    network_margin: u32 = 200, in 0..=30_000, "points", if ["network"];
}

/// The greatest depth in plies: no limit in practice.
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
            fukumi_fours: self.fukumi_fours as usize,
            fukumi_nodes: self.fukumi_nodes.into(),
        }
    }
}

impl Params {
    /// Everything that is known of the settings, those of the scores after the others.
    pub fn settings() -> impl Iterator<Item = &'static Setting> {
        Params::SETTINGS.iter().chain(Scores::SETTINGS)
    }

    /// What is known of the setting with this name.
    #[must_use]
    pub fn setting(name: &str) -> Option<&'static Setting> {
        Params::settings().find(|setting| setting.name == name)
    }

    /// The settings that have no effect on moves and scores under the others, each with the condition that
    /// is not met.
    pub fn inert(&self) -> impl Iterator<Item = (&'static str, &'static str)> {
        let value = |name: &str| self.get(name).expect("clauses name settings");
        Params::settings().filter_map(move |setting| Some((setting.name, setting.unmet(value)?)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_setting_is_whole() {
        let params = Params::default();
        let names: Vec<_> = Params::settings().map(|setting| setting.name).collect();
        for (i, setting) in Params::settings().enumerate() {
            let Setting { name, is_switch, default, unit, needs, doc, .. } = *setting;
            assert!(!names[..i].contains(&name), "{name} is declared twice");
            assert_eq!(params.get(name), Some(default), "{name}");
            assert!(setting.accepts(default), "{name}");
            assert_eq!(unit.is_empty(), is_switch, "{name}");
            assert!(doc.ends_with('.') && doc.split_whitespace().count() >= 3, "{name}: {doc}");
            for named in needs.iter().flat_map(|clause| clause.split(" or ")) {
                assert!(names.contains(&named.trim_start_matches("not ")), "{name} needs {named}");
            }
        }
    }

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
    }

    #[test]
    fn what_has_no_effect_is_named() {
        let params = Params { aspiration: false, ..Params::default() };
        let inert: Vec<_> = params.inert().collect();
        assert!(inert.contains(&("aspiration_window", "aspiration")));
        assert!(!inert.iter().any(|&(name, _)| name == "open_three"));
        let master = Params::of(crate::search::Level::Master);
        assert!(Scores::SETTINGS.iter().all(|score| master.inert().any(|(name, _)| name == score.name)));
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
