//! How much of its time a move gets.

use std::time::Duration;

use super::Params;

/// Boards with so few stones are openings.
const OPENING_STONES: usize = 6;

/// So few candidates need less time.
const FEW_CANDIDATES: usize = 3;

/// The share of the time for this position: the first rule that applies. Nothing for the only move, less in
/// the opening, less among few candidates.
#[must_use]
pub fn share(params: &Params, time: Duration, stones: usize, candidates: usize) -> Duration {
    let percent = match (stones, candidates) {
        (_, ..=1) => 0,
        (..=OPENING_STONES, _) => params.opening_time_percent,
        (_, ..=FEW_CANDIDATES) => params.few_time_percent,
        _ => 100,
    };
    time * percent / 100
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
}
