use super::Params;
use super::params::DEEPEST;

/// The strength of play, weakest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Level {
    /// A search of one ply; four moves in five are not the best, and nearly half of the opponent's threes are
    /// overlooked.
    Beginner,
    /// A search of two plies that overlooks a quarter of the opponent's threes.
    Easy,
    /// A search of three plies that seldom overlooks anything simple.
    Medium,
    /// A search of four plies, never at random, which overlooks nothing.
    Hard,
    /// As strong as the time allows.
    Master,
}

impl Level {
    /// All levels, weakest first.
    pub const ALL: [Level; 5] = [Level::Beginner, Level::Easy, Level::Medium, Level::Hard, Level::Master];

    /// The name of the level in settings.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Level::Beginner => "beginner",
            Level::Easy => "easy",
            Level::Medium => "medium",
            Level::Hard => "hard",
            Level::Master => "master",
        }
    }
}

impl Params {
    /// The parameters of a level.
    #[must_use]
    pub fn of(level: Level) -> Params {
        let hard = Params::default();
        match level {
            Level::Beginner => Params {
                depth: 1,
                time_ms: 1_000,
                nodes: 10_000,
                random_percent: 80,
                random_threshold: 1_200,
                single_four_keep_percent: 100,
                mise_term: false,
                multi_direction_term: false,
                mandatory_defence: false,
                random_draws: 20,
                overlook_five_percent: 2,
                overlook_four_percent: 5,
                overlook_three_percent: 45,
                overlook_win_percent: 50,
                overlook_vcf_percent: 60,
                vcf_depth: 2,
                ..Params::of(Level::Easy)
            },
            Level::Easy => Params {
                depth: 2,
                time_ms: 2_000,
                nodes: 50_000,
                random_percent: 25,
                random_threshold: 200,
                single_four_keep_percent: 60,
                counter_four_term: false,
                vct: false,
                mise_defence: false,
                futility: false,
                overlook_four_percent: 3,
                overlook_three_percent: 25,
                overlook_win_percent: 50,
                overlook_vcf_percent: 60,
                vcf_depth: 3,
                ..Params::of(Level::Medium)
            },
            Level::Medium => Params {
                depth: 3,
                time_ms: 4_000,
                nodes: 200_000,
                random_percent: 10,
                random_threshold: 150,
                single_four_keep_percent: 30,
                fukumi_term: false,
                trap_term: false,
                vulnerability_term: false,
                null_move: false,
                quiescence: false,
                lmr: false,
                aspiration: false,
                overlook_three_percent: 5,
                overlook_win_percent: 20,
                overlook_vcf_percent: 20,
                vcf_depth: 5,
                ..hard
            },
            Level::Hard => hard,
            Level::Master => Params {
                depth: DEEPEST,
                time_ms: 5_000,
                nodes: 0,
                order_deep: 0,
                order_middle: 0,
                order_shallow: 0,
                null_move_margin: 0,
                lmr_log: true,
                lmr_root: true,
                null_move_divisor: 4,
                iir_depth: 4,
                lmr_log_divisor: 30,
                lmr_log_base: 14,
                lmr_three: 18,
                lmr_history: 260,
                lmr_answer: 14,
                history_order: 9,
                lmr_from: 1,
                lmr_depth: 2,
                futility: false,
                leaf_vcf: true,
                leaf_vcf_nodes: 64,
                inner_vcf: true,
                inner_vcf_nodes: 200,
                inner_vcf_new: true,
                table_value: true,
                quiet_takes: true,
                multi_cut: true,
                razoring: true,
                razoring_margin: 180,
                reverse_futility: true,
                reverse_futility_margin: 70,
                move_count_pruning: true,
                move_count_base: 2,
                move_count_percent: 110,
                move_count_depth: 12,
                late_futility: true,
                late_futility_margin: 150,
                quiet_fours: true,
                quiet_four_penalty: 0,
                block_extension: true,
                singular: true,
                keep_unfinished: true,
                opening_time_percent: 100,
                few_time_percent: 100,
                depth_start_percent: 100,
                vct_depth: 12,
                vct_end_fours: 0,
                mise_vcf_depth: 0,
                vct_threat_limit: 2,
                vct_nodes: 20_000,
                vct_from_stones: 6,
                vcf_depth: 100,
                fitted: true,
                network: true,
                ..hard
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The table of the levels, row by row.
    #[test]
    fn levels_are_as_specified() {
        let of = |f: &dyn Fn(&Params) -> i64| {
            [Level::Beginner, Level::Easy, Level::Medium, Level::Hard].map(|level| f(&Params::of(level)))
        };
        let get = |name: &str| of(&|params| params.get(name).expect("a name"));
        assert_eq!(get("depth"), [1, 2, 3, 4]);
        assert_eq!(get("time_ms"), [1_000, 2_000, 4_000, 8_000]);
        assert_eq!(get("nodes"), [10_000, 50_000, 200_000, 600_000]);
        assert_eq!(get("random_percent"), [80, 25, 10, 0]);
        assert_eq!(get("random_threshold"), [1_200, 200, 150, 0]);
        assert_eq!(get("single_four_keep_percent"), [100, 60, 30, 0]);
        assert_eq!(get("vct_depth"), [4, 4, 4, 4]);
        assert_eq!(get("vct_end_fours"), [8, 8, 8, 8]);
        for name in ["vcf", "mise_vcf"] {
            assert_eq!(get(name), [1, 1, 1, 1], "{name}");
        }
        for name in ["mise_term", "multi_direction_term", "mandatory_defence"] {
            assert_eq!(get(name), [0, 1, 1, 1], "{name}");
        }
        for name in ["counter_four_term", "vct", "mise_defence", "futility"] {
            assert_eq!(get(name), [0, 0, 1, 1], "{name}");
        }
        for name in ["fukumi_term", "trap_term", "vulnerability_term", "null_move"] {
            assert_eq!(get(name), [0, 0, 0, 1], "{name}");
        }
    }

    /// The weaker a level, the more it overlooks; hard and master overlook nothing.
    #[test]
    fn stronger_levels_overlook_less() {
        for what in ["five", "four", "three", "win", "vcf"] {
            let name = format!("overlook_{what}_percent");
            let shares = Level::ALL.map(|level| Params::of(level).get(&name).expect("a name"));
            assert!(shares.is_sorted_by(|weak, strong| weak >= strong), "{name}: {shares:?}");
            assert_eq!(shares[3..], [0, 0], "{name}");
        }
    }
}
