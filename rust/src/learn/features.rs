use super::{ACTIONS, mark, spread};
use crate::batch::row::{Moves, PackedPoints, row};
use crate::board::Stones;
use crate::threats::{Survey, Threat};
use crate::types::{BOARD_POINTS, Bitboard, Color, Move, Symmetry};

/// What each plane of a position marks, in order. "Own" is of the side to move, whatever its colour.
pub const CHANNELS: [&str; 19] = [
    "own stones",
    "opponent stones",
    "empty points",
    "black to move",
    "last move",
    "move before last",
    "forbidden to black",
    "own closed three",
    "own open three",
    "own four",
    "own double",
    "own open four",
    "own five",
    "opponent closed three",
    "opponent open three",
    "opponent four",
    "opponent double",
    "opponent open four",
    "opponent five",
];

/// The number of planes of a position.
pub const PLANES: usize = CHANNELS.len();

/// From this plane on there are few points in a plane.
const FIRST_FEW: usize = 4;

/// The first plane of the threats of the side to move, and how many planes a side has.
const FIRST_THREAT: usize = 7;
const THREATS: usize = 6;

row! {
    /// A position of a game to learn from.
    pub struct RecordRow {
        /// The points of black's stones: bit n, the lowest of a byte first, is the point with index n.
        black: PackedPoints,
        /// The points of white's stones in the same form.
        white: PackedPoints,
        /// The side to move: 1 black, 2 white.
        turn: u8,
        /// The moves that were made before, as far as they are known: the last one and the one before it; 225 is a
        /// pass, 255 is no move.
        last: Moves<2>,
        /// The move to learn: 225 is a pass, 255 is no move.
        played: u8,
        /// How the game ended: 0 unknown, 1 black won, 2 white won, 3 a draw.
        result: u8,
        /// The number of moves made before.
        ply: u16,
        /// The number of the game that the position comes from.
        game: u32,
    }
}

/// A row that is no position.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadFeatures {
    /// A point has a stone of both colours.
    #[error("a point has a stone of both colours")]
    TwoStones,
    /// The turn is that of neither colour.
    #[error("turn is 1 or 2, not {0}")]
    Turn(u8),
    /// A number stands for no move.
    #[error("{name} is {code}: points are 0..{}, a pass is {BOARD_POINTS}, no move is 255", BOARD_POINTS - 1)]
    Move {
        /// The field that holds the number.
        name: &'static str,
        /// The number that stands for no move.
        code: u8,
    },
    /// The result is none of a game.
    #[error("result is 0, 1, 2 or 3, not {0}")]
    Result(u8),
}

/// A position as it is learned from.
///
/// ```
/// use renju::board::Stones;
/// use renju::learn::{Features, PLANES};
/// use renju::types::{Color, Move, Point, Symmetry};
/// let stones = Stones::EMPTY.with(Color::Black, Point::CENTER);
/// let last = [Some(Move::Place(Point::CENTER)), None];
/// let features = Features { stones, turn: Color::White, last, played: None, value: None };
/// let (mut planes, mut mask) = ([0; PLANES * 225], [0; 226]);
/// features.write(&mut planes, &mut mask);
/// assert_eq!((planes[112], planes[225 + 112], planes[4 * 225 + 112], mask[112]), (0, 1, 1, 0));
/// assert_eq!(features.image(Symmetry::IDENTITY), features);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Features {
    /// The stones of the position.
    pub stones: Stones,
    /// The side to move.
    pub turn: Color,
    /// The last move and the one before it, as far as they are known.
    pub last: [Option<Move>; 2],
    /// The move to learn, if there is one.
    pub played: Option<Move>,
    /// 1 if the side to move won the game, -1 if it lost, 0 in a draw; `None` if the end is unknown.
    pub value: Option<i8>,
}

impl Features {
    /// The position of a row.
    pub fn of(row: &RecordRow) -> Result<Features, BadFeatures> {
        let turn = Color::from_code(row.turn).ok_or(BadFeatures::Turn(row.turn))?;
        let stones = Stones::new(row.black.0, row.white.0).ok_or(BadFeatures::TwoStones)?;
        let value = match row.result {
            0 => None,
            3 => Some(0),
            code => {
                let winner = Color::from_code(code).ok_or(BadFeatures::Result(code))?;
                Some(if winner == turn { 1 } else { -1 })
            }
        };
        let [last, before] = row.last.0;
        Ok(Features {
            stones,
            turn,
            last: [move_of("last", last)?, move_of("last", before)?],
            played: move_of("played", row.played)?,
            value,
        })
    }

    /// The image of all of it under a symmetry.
    #[must_use]
    pub fn image(&self, symmetry: Symmetry) -> Features {
        if symmetry == Symmetry::IDENTITY {
            return self.clone();
        }
        let image_of = |mv: Move| symmetry.apply(mv);
        Features {
            stones: self.stones.transformed(symmetry),
            last: self.last.map(|mv| mv.map(image_of)),
            played: self.played.map(image_of),
            ..*self
        }
    }

    /// Writes the planes, which [`CHANNELS`] names: 1 where a point has what the plane marks, else 0. And the mask:
    /// 1 for every action that is legal and does not lose by a foul, else 0; a pass is legal if no point is.
    pub fn write(&self, planes: &mut [u8; PLANES * BOARD_POINTS], mask: &mut [i8; ACTIONS]) {
        let sides = [self.turn, self.turn.opponent()];
        let surveys = sides.map(|color| Survey::of(&self.stones, color));
        let black = if self.turn == Color::Black { &surveys[0] } else { &surveys[1] };
        let forbidden = black.forbidden().all();
        let [last, before] = self.last.map(|mv| match mv {
            Some(Move::Place(point)) => Bitboard::of(point),
            Some(Move::Pass) | None => Bitboard::EMPTY,
        });
        let turn = if self.turn == Color::Black { Bitboard::ALL } else { Bitboard::EMPTY };
        let [own, other] = sides.map(|color| *self.stones.of(color));
        let mut sets = [Bitboard::EMPTY; PLANES];
        sets[..FIRST_THREAT].copy_from_slice(&[
            own,
            other,
            self.stones.empty(),
            turn,
            last,
            before,
            forbidden,
        ]);
        for (place, survey) in sets[FIRST_THREAT..].chunks_mut(THREATS).zip(&surveys) {
            place.copy_from_slice(&threats(survey));
        }
        let planes = planes.as_chunks_mut::<BOARD_POINTS>().0;
        for (n, (plane, set)) in planes.iter_mut().zip(&sets).enumerate() {
            if n < FIRST_FEW { spread(set, plane) } else { mark(set, plane) }
        }
        let fouls = if self.turn == Color::Black { forbidden } else { Bitboard::EMPTY };
        let legal = self.stones.empty() - fouls;
        let mut points = [0; BOARD_POINTS];
        spread(&legal, &mut points);
        for (mark, point) in mask.iter_mut().zip(points) {
            *mark = point as i8;
        }
        mask[BOARD_POINTS] = i8::from(legal.is_empty());
    }
}

/// The points of each plane of threats: where a stone of the surveyed colour makes the shape, and none better.
fn threats(survey: &Survey) -> [Bitboard; THREATS] {
    let mut sets = [Bitboard::EMPTY; THREATS];
    let mut better = Bitboard::EMPTY;
    for (threat, points) in survey.by_threat().into_iter().rev() {
        let plane = match threat {
            Threat::None | Threat::ClosedTwo | Threat::OpenTwo | Threat::Forbidden => None,
            Threat::ClosedThree => Some(0),
            Threat::OpenThree => Some(1),
            Threat::Four => Some(2),
            Threat::DoubleThree | Threat::FourThree | Threat::DoubleFour => Some(3),
            Threat::OpenFour => Some(4),
            Threat::Five => Some(5),
        };
        if let Some(plane) = plane {
            sets[plane] |= points - better;
        }
        better |= points;
    }
    sets
}

fn move_of(name: &'static str, code: u8) -> Result<Option<Move>, BadFeatures> {
    match code {
        Moves::<2>::NONE => Ok(None),
        code => Move::from_index(code.into()).map(Some).ok_or(BadFeatures::Move { name, code }),
    }
}
