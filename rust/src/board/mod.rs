//! Stones on a board, before any rule: what lies where, how it hashes, what can be set up.

mod setup;

pub use setup::{Problem, Setup, SetupError, UnclearTurn};

use std::fmt;
use std::str::FromStr;

use crate::record::{Diagram, DiagramError, parse_diagram, print_diagram};
use crate::types::{BOARD_POINTS, Bitboard, Color, Key, Point, Symmetry, image_keys, side_key, stone_key};

/// The stones of both colours. They never overlap.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub struct Stones {
    /// Black's stones and white's stones.
    sets: [Bitboard; 2],
}

impl Stones {
    /// The board without a stone.
    pub const EMPTY: Stones = Stones { sets: [Bitboard::EMPTY; 2] };

    /// These stones; `None` if a point is in both sets.
    #[must_use]
    pub fn new(black: Bitboard, white: Bitboard) -> Option<Stones> {
        (black & white).is_empty().then_some(Stones { sets: [black, white] })
    }

    /// From an array board: 0 empty, 1 black, 2 or -1 white. The error is the index of the first
    /// cell with another code.
    pub fn from_cells(cells: &[i8; BOARD_POINTS]) -> Result<Stones, usize> {
        let mut stones = Stones::EMPTY;
        for (point, &code) in Point::all().zip(cells) {
            match code {
                0 => {}
                1 => stones.sets[0].insert(point),
                2 | -1 => stones.sets[1].insert(point),
                _ => return Err(point.index()),
            }
        }
        Ok(stones)
    }

    /// The stones as something to draw.
    #[must_use]
    pub const fn diagram(&self) -> Diagram {
        Diagram { black: self.sets[0], white: self.sets[1] }
    }

    /// The points with a black stone.
    #[must_use]
    pub const fn black(&self) -> &Bitboard {
        &self.sets[0]
    }

    /// The points with a white stone.
    #[must_use]
    pub const fn white(&self) -> &Bitboard {
        &self.sets[1]
    }

    /// The points with a stone of this colour.
    #[must_use]
    pub const fn of(&self, color: Color) -> &Bitboard {
        &self.sets[color.index()]
    }

    /// The cells without a stone.
    #[must_use]
    pub fn empty(&self) -> Bitboard {
        !(self.sets[0] | self.sets[1])
    }

    /// The colour of the stone on a point; `None` if the point is empty.
    #[must_use]
    pub const fn at(&self, point: Point) -> Option<Color> {
        if self.black().contains(point) {
            Some(Color::Black)
        } else if self.white().contains(point) {
            Some(Color::White)
        } else {
            None
        }
    }

    /// Puts a stone on an empty point.
    pub fn place(&mut self, color: Color, point: Point) {
        debug_assert!(self.at(point).is_none(), "{point} is occupied");
        self.sets[color.index()].insert(point);
    }

    /// The stones with one more.
    #[must_use]
    pub fn with(mut self, color: Color, point: Point) -> Stones {
        self.place(color, point);
        self
    }

    /// Takes the stone on a point away.
    pub fn remove(&mut self, point: Point) {
        self.sets[0].remove(point);
        self.sets[1].remove(point);
    }

    /// The number of stones of both colours.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.black().len() + self.white().len()
    }

    /// Is there no stone on the board?
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Whose turn the counts say it is: black with as many stones as white, white with one less.
    #[must_use]
    pub const fn turn(&self) -> Option<Color> {
        turn_by_counts(self.black().len(), self.white().len())
    }

    /// Who moves: the side given, or else the one that the counts tell.
    pub const fn turn_or(&self, given: Option<Color>) -> Result<Color, UnclearTurn> {
        match (given, self.turn()) {
            (Some(turn), _) | (None, Some(turn)) => Ok(turn),
            (None, None) => Err(UnclearTurn { black: self.black().len(), white: self.white().len() }),
        }
    }

    /// The hash, worked out from nothing.
    #[must_use]
    pub fn key(&self, turn: Color) -> Key {
        let stones =
            Color::ALL.into_iter().flat_map(|color| self.of(color).points().map(move |p| (color, p)));
        stones.fold(side_key(turn), |key, (color, point)| key ^ stone_key(color, point))
    }

    /// The smallest of the keys of the eight images, and the symmetry that gives it.
    #[must_use]
    pub fn symmetric_key(&self, turn: Color) -> (Key, Symmetry) {
        let mut keys = [side_key(turn); 8];
        for color in Color::ALL {
            for point in self.of(color).points() {
                keys.iter_mut().zip(image_keys(color, point)).for_each(|(key, part)| *key ^= part);
            }
        }
        keys.into_iter().zip(Symmetry::ALL).min().expect("there are eight")
    }

    /// The image under a symmetry.
    #[must_use]
    pub fn transformed(&self, symmetry: Symmetry) -> Stones {
        Stones { sets: self.sets.map(|set| symmetry.set(set)) }
    }
}

/// The drawn board, as [`print_diagram`] prints it.
///
/// ```
/// use renju::board::Stones;
/// use renju::types::{Color, Point};
/// let stones = Stones::EMPTY.with(Color::Black, Point::CENTER);
/// assert_eq!(stones.to_string().parse(), Ok(stones));
/// ```
impl fmt::Display for Stones {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&print_diagram(&self.diagram()))
    }
}

/// Reads a drawn board, as [`parse_diagram`] does.
impl FromStr for Stones {
    type Err = DiagramError;
    fn from_str(text: &str) -> Result<Stones, DiagramError> {
        let Diagram { black, white } = parse_diagram(text)?;
        Ok(Stones::new(black, white).expect("a cell shows one stone"))
    }
}

/// Whose turn it is with these numbers of stones, if alternating moves lead there.
const fn turn_by_counts(black: usize, white: usize) -> Option<Color> {
    if black == white {
        Some(Color::Black)
    } else if black == white + 1 {
        Some(Color::White)
    } else {
        None
    }
}
