use super::bitboard::Bitboard;
use super::point::{BOARD_POINTS, BOARD_SIZE, Move, Point};

/// One of the eight turns and mirrors of the board.
///
/// Number `k`: first mirrored left to right if `k >= 4`, then turned `k % 4` quarters
/// counter-clockwise. 0 changes nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Symmetry(u8);

/// Key: symmetry, point; value: index of the point's image.
pub(super) const IMAGES: [[u8; BOARD_POINTS]; 8] = images();

impl Symmetry {
    /// The one that changes nothing.
    pub const IDENTITY: Symmetry = Symmetry(0);

    /// The eight symmetries, identity first.
    pub const ALL: [Symmetry; 8] = [
        Symmetry(0),
        Symmetry(1),
        Symmetry(2),
        Symmetry(3),
        Symmetry(4),
        Symmetry(5),
        Symmetry(6),
        Symmetry(7),
    ];

    /// The symmetry with number `k`, 0 to 7.
    #[must_use]
    pub const fn new(k: usize) -> Option<Symmetry> {
        if k < 8 { Some(Symmetry(k as u8)) } else { None }
    }

    /// The number of the symmetry, 0 to 7.
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The symmetry that takes every image back.
    #[must_use]
    pub const fn inverse(self) -> Symmetry {
        if self.0 < 4 { Symmetry((4 - self.0) % 4) } else { self }
    }

    /// The point to which the symmetry moves this one.
    #[must_use]
    pub fn point(self, point: Point) -> Point {
        Point::from_index(IMAGES[self.index()][point.index()] as usize).expect("images are on the board")
    }

    /// Where a move goes; a pass stays a pass.
    #[must_use]
    pub fn apply(self, mv: Move) -> Move {
        match mv {
            Move::Place(point) => Move::Place(self.point(point)),
            Move::Pass => Move::Pass,
        }
    }

    /// The image of a set of points.
    #[must_use]
    pub fn set(self, set: Bitboard) -> Bitboard {
        set.points().map(|point| self.point(point)).collect()
    }
}

const fn images() -> [[u8; BOARD_POINTS]; 8] {
    let last = BOARD_SIZE - 1;
    let mut table = [[0; BOARD_POINTS]; 8];
    let mut k = 0;
    while k < 8 {
        let mut index = 0;
        while index < BOARD_POINTS {
            let (mut x, mut y) = (index % BOARD_SIZE, index / BOARD_SIZE);
            if k >= 4 {
                x = last - x;
            }
            let mut turn = 0;
            while turn < k % 4 {
                (x, y) = (last - y, x);
                turn += 1;
            }
            table[k][index] = (y * BOARD_SIZE + x) as u8;
            index += 1;
        }
        k += 1;
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn eight_different_images_that_can_be_taken_back() {
        let corner_pair = [Point::new(1, 0).unwrap(), Point::new(2, 5).unwrap()];
        let images: HashSet<_> = Symmetry::ALL.map(|s| corner_pair.map(|p| s.point(p))).into();
        assert_eq!(images.len(), 8);
        for symmetry in Symmetry::ALL {
            for point in Point::all() {
                assert_eq!(symmetry.inverse().point(symmetry.point(point)), point);
            }
        }
    }
}
