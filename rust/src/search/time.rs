//! How much of its time a move gets.

use std::time::Duration;

use super::Params;

/// The share of the time for this position: the first rule that applies. Nothing for the only move, less in
/// the opening, less among few candidates.
#[must_use]
pub fn share(params: &Params, time: Duration, stones: usize, candidates: usize) -> Duration {
    let percent = match (stones, candidates) {
        (_, ..=1) => 0,
        (stones, _) if stones <= params.opening_stones as usize => params.opening_time_percent,
        (_, candidates) if candidates <= params.few_candidates as usize => params.few_time_percent,
        _ => 100,
    };
    time * percent / 100
}

/// May a new depth start when `elapsed` of `time` has passed?
#[must_use]
pub fn may_start_depth(params: &Params, elapsed: Duration, time: Duration) -> bool {
    elapsed * 100 < time * params.depth_start_percent
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_rule_that_applies() {
        let params = Params::default();
        let of = |stones, candidates| share(&params, Duration::from_secs(10), stones, candidates).as_secs();
        assert_eq!(of(20, 1), 0);
        assert_eq!(of(3, 1), 0);
        assert_eq!((of(6, 30), of(6, 3)), (5, 5));
        assert_eq!((of(7, 3), of(7, 2)), (3, 3));
        assert_eq!((of(7, 4), of(50, 60)), (10, 10));
    }

    #[test]
    fn a_depth_starts_before_four_fifths() {
        let params = Params::default();
        let may_start = |ms| may_start_depth(&params, Duration::from_millis(ms), Duration::from_secs(1));
        assert_eq!([0, 799, 800, 1_000].map(may_start), [true, true, false, false]);
        assert!(!may_start_depth(&params, Duration::ZERO, Duration::ZERO));
    }
}
