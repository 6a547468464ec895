/// Defines [`Stats`]: a counter for every technique.
macro_rules! stats {
    ($($(#[$doc:meta])* $name:ident,)*) => {
        /// How often each technique was of use.
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
        pub struct Stats {
            $($(#[$doc])* pub $name: u64,)*
        }

        impl Stats {
            /// All counters by name, in order.
            pub fn entries(&self) -> impl Iterator<Item = (&'static str, u64)> {
                [$((stringify!($name), self.$name),)*].into_iter()
            }

            /// Adds those of another search.
            pub fn add(&mut self, other: &Stats) {
                $(self.$name += other.$name;)*
            }
        }
    };
}

stats! {
    /// Positions of the alpha-beta search, quiescence included.
    search_nodes,
    /// Positions of the searches by fours and threats.
    threat_nodes,
    /// Own fives, fours and threes of the opponent that the level overlooked.
    oversights,
    /// Searches that tried the first stone of an undecided VCT before all other moves.
    vct_hints,
    /// Those of which that stone was the best move.
    vct_hints_played,
    /// Positions found in the table.
    table_hits,
    /// Those that needed no search.
    table_cutoffs,
    /// Positions at which a move was too good for the opponent to allow.
    beta_cutoffs,
    /// Those at which it was the first move.
    first_cutoffs,
    /// Points of which it was asked whether black may play there.
    forbidden_checks,
    /// Those answered by the shapes alone.
    forbidden_shortcuts,
    /// Double-threes that were known from before.
    forbidden_cache_hits,
    /// Boards valued.
    evaluations,
    /// Null moves that cut.
    null_move_cutoffs,
    /// Moves skipped near the leaves.
    futility_skips,
    /// Positions left alone because they are far above beta.
    reverse_futility_cutoffs,
    /// Positions settled by razoring.
    razoring_cutoffs,
    /// Moves skipped because many others came before.
    move_count_skips,
    /// Moves first searched less deep.
    reductions,
    /// Those searched again at full depth.
    reduction_researches,
    /// Windows that were missed.
    aspiration_researches,
    /// Positions won by fours at leaves and inner nodes.
    vcf_wins,
    /// Lines made longer.
    extensions,
    /// Positions of quiescence.
    quiescence_nodes,
}
