/// A value of the search, for the side to move: hundredths of nothing in particular, won at the top.
pub type Score = i32;

/// A five on the board. A win in `n` plies is worth `WIN - n`.
pub const WIN: Score = 100_000;

/// Plies a line can have at most; wins are all scores nearer than this to [`WIN`].
pub const MOST_PLIES: usize = 256;

/// Static values stay below this, far from all wins.
pub const MOST_STATIC: Score = 50_000;

/// The score of a position all of whose searched moves lose, where other moves were not searched: as bad as
/// an estimate can be, but not decided.
pub const UNPROVED_LOSS: Score = -MOST_STATIC;

/// The score of making five in this number of plies.
#[must_use]
pub const fn win_in(plies: usize) -> Score {
    WIN - plies as Score
}

/// The score of the opponent's making five in this number of plies.
#[must_use]
pub const fn loss_in(plies: usize) -> Score {
    plies as Score - WIN
}

/// Is this a win or a loss, not an estimate?
#[must_use]
pub const fn is_decided(score: Score) -> bool {
    score.abs() >= WIN - MOST_PLIES as Score
}

/// Is this a loss, not an estimate?
#[must_use]
pub const fn is_loss(score: Score) -> bool {
    score < 0 && is_decided(score)
}

/// Plies to the five if the score is a win, negative if a loss.
#[must_use]
pub const fn plies_to_end(score: Score) -> Option<Score> {
    if !is_decided(score) {
        None
    } else if score > 0 {
        Some(WIN - score)
    } else {
        Some(-(WIN + score))
    }
}

/// The score of a node at this ply, in which a win is counted from the root, with the win counted from the node
/// itself: what the table keeps, since the same position may be met at another ply.
#[must_use]
pub const fn counted_from_node(score: Score, ply: usize) -> Score {
    if !is_decided(score) {
        score
    } else if score > 0 {
        score + ply as Score
    } else {
        score - ply as Score
    }
}

/// The score of a node at this ply, in which a win is counted from the node, with the win counted from the root:
/// the opposite of [`counted_from_node`].
#[must_use]
pub const fn counted_from_root(score: Score, ply: usize) -> Score {
    if !is_decided(score) {
        score
    } else if score > 0 {
        score - ply as Score
    } else {
        score + ply as Score
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances_survive_the_table() {
        for ply in [0, 1, 7, 100] {
            for plies in [1, 2, 30, 120] {
                let (win, loss) = (win_in(ply + plies), loss_in(ply + plies));
                assert_eq!(plies_to_end(counted_from_node(win, ply)), Some(plies as Score));
                assert_eq!(plies_to_end(counted_from_node(loss, ply)), Some(-(plies as Score)));
                assert_eq!(counted_from_root(counted_from_node(win, ply), ply), win);
                assert_eq!(counted_from_root(counted_from_node(loss, ply), ply), loss);
            }
        }
        assert_eq!(counted_from_node(MOST_STATIC, 9), MOST_STATIC);
        assert_eq!(plies_to_end(-MOST_STATIC), None);
    }
}
