//! The law: shapes, forbidden moves, results, play.

mod class;
mod explain;
mod forbidden;
mod outcome;
mod perft;
pub(crate) mod planes;
mod position;
pub mod reference;
#[cfg(target_arch = "x86_64")]
pub(crate) mod simd;
mod text;
pub(crate) mod vector;

pub use class::Class;
pub use explain::{Explanation, Extension, ExtensionFlaw, LineShape, explain};
pub use forbidden::{
    BlackShapes, Forbidden, ForbiddenPoints, InstructionSet, Scan, has_double_three, is_real_three,
};
pub use outcome::{Outcome, Reason};
pub use perft::perft;
pub use position::{FIRST_PASS_PLY, IllegalMove, IllegalRecord, Position};
pub use text::BadGame;

use crate::board::Stones;
use crate::types::{BOARD_POINTS, Bitboard, Color};
use planes::fives;
use vector::{East, Grid, Lanes, NativeGrid, North, NorthEast, NorthWest};

/// Do these stones hold five in a row: exactly five if `exact`, else five or more?
#[must_use]
pub fn fives_of(own: &Bitboard, exact: bool) -> bool {
    let own = NativeGrid::load(own);
    let exact = if exact { NativeGrid::load(&Bitboard::ALL) } else { NativeGrid::zero() };
    let straight = fives::<_, East>(own, exact).or(fives::<_, North>(own, exact));
    let diagonal = fives::<_, NorthEast>(own, exact).or(fives::<_, NorthWest>(own, exact));
    !straight.or(diagonal).is_zero()
}

/// Who has won by the stones alone: black with exactly five, white with five or more. Boards on
/// which both have, which no game reaches, count for black.
#[must_use]
pub fn winner(stones: &Stones) -> Option<Color> {
    if fives_of(stones.black(), true) {
        Some(Color::Black)
    } else if fives_of(stones.white(), false) {
        Some(Color::White)
    } else {
        None
    }
}

/// The stones of an array board (0 empty, 1 black, 2 or -1 white); the error is the index of the
/// first cell with another code.
#[inline]
pub fn decode(cells: &[i8; BOARD_POINTS]) -> Result<Stones, usize> {
    #[cfg(target_arch = "x86_64")]
    if let Some((black, white)) = simd::decode(cells) {
        return Ok(Stones::new(black, white).expect("a cell holds one code"));
    }
    Stones::from_cells(cells)
}
