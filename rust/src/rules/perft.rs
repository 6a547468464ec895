use super::Position;
use crate::types::Move;

/// The number of ways to play `depth` legal stones in a row from here; a game that has ended counts
/// as no way on. The count is a fingerprint of move generation, as in chess programs.
#[must_use]
pub fn perft(position: &mut Position, depth: usize) -> u64 {
    let points = position.legal_points();
    match depth {
        0 => 1,
        1 => points.len() as u64,
        _ => {
            let mut count = 0;
            for point in points.points() {
                position.play(Move::Place(point)).expect("legal points are playable");
                count += perft(position, depth - 1);
                position.undo();
            }
            count
        }
    }
}
