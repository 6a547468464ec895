use super::{Explanation, Forbidden, ForbiddenPoints, Outcome, Reason, Scan, explain, fives_of};
use crate::board::{Problem, Setup, SetupError, Stones};
use crate::types::{Bitboard, Color, Key, Move, Point, Symmetry, side_key, stone_key};

/// A pass is not allowed before this many moves have been made (RIF 12.9).
pub const FIRST_PASS_PLY: usize = 3;

/// Why a move cannot be made.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum IllegalMove {
    /// The point of the move has a stone already.
    #[error("{point} is occupied by {color}")]
    Occupied {
        /// The point that is occupied.
        point: Point,
        /// The colour of the stone that lies there.
        color: Color,
    },
    /// The game has ended, and no further move is accepted.
    #[error("the game is over ({})", .0.name())]
    GameOver(Reason),
    /// A pass among the first three moves.
    #[error("a pass is not allowed in the first three moves")]
    EarlyPass,
}

/// A move of a record that cannot be made.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("move {number} ({mv}): {fault}")]
pub struct IllegalRecord {
    /// The number of the move in the record, from 1.
    pub number: usize,
    /// The move that cannot be made.
    pub mv: Move,
    /// Why the move cannot be made.
    pub fault: IllegalMove,
}

/// A game in progress: stones, whose turn it is, how it came about, and how it ended.
///
/// A forbidden black stone is accepted and loses at once; whether a move is *legal* is a question
/// of its own ([`Position::is_legal`]). With the referee off, play goes on after fouls and fives,
/// as in records where nobody claimed them.
#[derive(Clone, Debug)]
pub struct Position {
    stones: Stones,
    turn: Color,
    key: Key,
    /// The stones before the first move, and whose turn it was.
    start: (Stones, Color),
    /// The moves made, each with the outcome that stood before it.
    history: Vec<(Move, Option<Outcome>)>,
    outcome: Option<Outcome>,
    referee: bool,
    move_limit: Option<usize>,
}

impl Default for Position {
    fn default() -> Position {
        Position::new(true, None)
    }
}

impl Position {
    /// The empty board. `move_limit` is the number of moves after which the game is drawn.
    #[must_use]
    pub fn new(referee: bool, move_limit: Option<usize>) -> Position {
        Position::from_valid(Stones::EMPTY, Color::Black, None, referee, move_limit)
    }

    /// A set-up position with the referee on. A five on the board ends the game.
    pub fn from_setup(setup: &Setup) -> Result<Position, SetupError> {
        let (stones, turn) = setup.validate().map_err(|mut error| {
            let [black, white] = [&setup.black, &setup.white].map(|points| points.iter().copied().collect());
            error.problems.extend(have_both_won(&black, &white).then_some(Problem::TwoWinners));
            error
        })?;
        Position::from_stones(stones, Some(turn))
    }

    /// A position with these stones and the referee on; without `turn` the counts tell it. A five on the board
    /// ends the game.
    pub fn from_stones(stones: Stones, turn: Option<Color>) -> Result<Position, SetupError> {
        let (turn, mut problems) = match stones.turn_or(turn) {
            Ok(turn) => (turn, vec![]),
            Err(unclear) => (Color::Black, vec![Problem::UnclearTurn(unclear)]),
        };
        problems.extend(have_both_won(stones.black(), stones.white()).then_some(Problem::TwoWinners));
        if !problems.is_empty() {
            return Err(SetupError { problems });
        }
        let won = Color::ALL.iter().find_map(|&color| Outcome::on_board(&stones, color));
        let full = stones.empty().is_empty().then(|| Outcome::draw(Reason::BoardFull));
        Ok(Position::from_valid(stones, turn, won.or(full), true, None))
    }

    fn from_valid(
        stones: Stones,
        turn: Color,
        outcome: Option<Outcome>,
        referee: bool,
        move_limit: Option<usize>,
    ) -> Position {
        let outcome = outcome.or_else(|| (move_limit == Some(0)).then(|| Outcome::draw(Reason::MoveLimit)));
        let key = stones.key(turn);
        Position {
            stones,
            turn,
            key,
            start: (stones, turn),
            history: Vec::new(),
            outcome,
            referee,
            move_limit,
        }
    }

    /// Makes all moves of a record; on the first that cannot be made, tells which.
    pub fn play_all(&mut self, moves: &[Move]) -> Result<(), IllegalRecord> {
        for &mv in moves {
            let number = self.history.len() + 1;
            self.play(mv).map_err(|fault| IllegalRecord { number, mv, fault })?;
        }
        Ok(())
    }

    /// Makes a move. The game may be over then: see [`Position::outcome`].
    pub fn play(&mut self, mv: Move) -> Result<(), IllegalMove> {
        self.check_playable(mv)?;
        let before = self.outcome.take();
        let (turn, last) = (self.turn, self.history.last().map(|&(last, _)| last));
        self.turn = turn.opponent();
        self.key ^= side_key(Color::White);
        let ended = match mv {
            Move::Pass => (last == Some(Move::Pass)).then(|| Outcome::draw(Reason::TwoPasses)),
            Move::Place(point) => {
                let is_foul = self.referee && turn == Color::Black && self.forbidden_now(point);
                self.stones.place(turn, point);
                self.key ^= stone_key(turn, point);
                if is_foul { Some(Outcome::forbidden(point)) } else { Outcome::of_stone(&self.stones, point) }
            }
        };
        self.history.push((mv, before.clone()));
        self.outcome = before.or(ended).or_else(|| self.end_by_exhaustion());
        Ok(())
    }

    /// Takes the last move back; `None` if none was made.
    pub fn undo(&mut self) -> Option<Move> {
        let (mv, before) = self.history.pop()?;
        self.outcome = before;
        self.turn = self.turn.opponent();
        self.key ^= side_key(Color::White);
        if let Move::Place(point) = mv {
            self.stones.remove(point);
            self.key ^= stone_key(self.turn, point);
        }
        Some(mv)
    }

    /// The stones on the board.
    #[must_use]
    pub fn stones(&self) -> &Stones {
        &self.stones
    }

    /// Whose turn it is; also after the end.
    #[must_use]
    pub fn turn(&self) -> Color {
        self.turn
    }

    /// The hash of stones and turn.
    #[must_use]
    pub fn key(&self) -> Key {
        self.key
    }

    /// The moves made since the start position.
    pub fn moves(&self) -> impl ExactSizeIterator<Item = Move> + '_ {
        self.history.iter().map(|&(mv, _)| mv)
    }

    /// The stones before the first move, and whose turn it was.
    #[must_use]
    pub fn start(&self) -> (&Stones, Color) {
        (&self.start.0, self.start.1)
    }

    /// Stones of the start position plus moves made.
    #[must_use]
    pub fn ply(&self) -> usize {
        self.start.0.len() + self.history.len()
    }

    /// Does a foul end the game?
    #[must_use]
    pub fn referee(&self) -> bool {
        self.referee
    }

    /// The number of moves after which the game is drawn.
    #[must_use]
    pub fn move_limit(&self) -> Option<usize> {
        self.move_limit
    }

    /// How the game ended, if it did.
    #[must_use]
    pub fn outcome(&self) -> Option<&Outcome> {
        self.outcome.as_ref()
    }

    /// May the side to move make this move without losing by a foul?
    #[must_use]
    pub fn is_legal(&self, mv: Move) -> bool {
        self.check_playable(mv).is_ok()
            && match mv {
                Move::Pass => true,
                Move::Place(point) => self.turn == Color::White || !self.forbidden_now(point),
            }
    }

    /// The points the side to move may play; none after the end. A pass is not in it.
    #[must_use]
    pub fn legal_points(&self) -> Bitboard {
        match (self.turn, self.is_closed()) {
            (_, true) => Bitboard::EMPTY,
            (Color::White, false) => self.stones.empty(),
            (Color::Black, false) => self.stones.empty() - self.forbidden_points().all(),
        }
    }

    /// The verdict on a point for black, whoever is to move. Nothing is forbidden on an occupied
    /// point, or once black has five or more in a row.
    #[must_use]
    pub fn forbidden_kind(&self, point: Point) -> Forbidden {
        if self.black_has_five() { Forbidden::None } else { Scan::of(&self.stones).kind(point) }
    }

    /// All forbidden points for black, whoever is to move; none once black has five or more.
    #[must_use]
    pub fn forbidden_points(&self) -> ForbiddenPoints {
        if self.black_has_five() { ForbiddenPoints::default() } else { Scan::of(&self.stones).points() }
    }

    /// Why an empty point is forbidden or not; `None` for an occupied one.
    #[must_use]
    pub fn explain(&self, point: Point) -> Option<Explanation> {
        let why = explain(&self.stones, point)?;
        Some(Explanation { kind: self.forbidden_kind(point), ..why })
    }

    /// The image under a symmetry, with its whole history.
    #[must_use]
    pub fn transformed(&self, symmetry: Symmetry) -> Position {
        let image_of = |outcome: &Option<Outcome>| {
            outcome.as_ref().map(|outcome| Outcome {
                line: outcome.line.iter().map(|&point| symmetry.point(point)).collect(),
                ..outcome.clone()
            })
        };
        let stones = self.stones.transformed(symmetry);
        Position {
            stones,
            key: stones.key(self.turn),
            start: (self.start.0.transformed(symmetry), self.start.1),
            history: self
                .history
                .iter()
                .map(|(mv, before)| (symmetry.apply(*mv), image_of(before)))
                .collect(),
            outcome: image_of(&self.outcome),
            ..*self
        }
    }

    /// Is no further move accepted?
    fn is_closed(&self) -> bool {
        self.outcome.is_some() && self.referee || self.stones.empty().is_empty()
    }

    fn check_playable(&self, mv: Move) -> Result<(), IllegalMove> {
        if let (Some(outcome), true) = (&self.outcome, self.referee) {
            return Err(IllegalMove::GameOver(outcome.reason));
        }
        match mv {
            Move::Pass if self.ply() < FIRST_PASS_PLY => Err(IllegalMove::EarlyPass),
            Move::Pass => Ok(()),
            Move::Place(point) => match self.stones.at(point) {
                Some(color) => Err(IllegalMove::Occupied { point, color }),
                None => Ok(()),
            },
        }
    }

    fn forbidden_now(&self, point: Point) -> bool {
        self.forbidden_kind(point) != Forbidden::None
    }

    /// Five or more black stones in a row, exact or not.
    fn black_has_five(&self) -> bool {
        fives_of(self.stones.black(), false)
    }

    fn end_by_exhaustion(&self) -> Option<Outcome> {
        if self.stones.empty().is_empty() {
            Some(Outcome::draw(Reason::BoardFull))
        } else if self.move_limit.is_some_and(|limit| self.history.len() >= limit) {
            Some(Outcome::draw(Reason::MoveLimit))
        } else {
            None
        }
    }
}

fn have_both_won(black: &Bitboard, white: &Bitboard) -> bool {
    fives_of(black, true) && fives_of(white, false)
}

/// Positions are equal if their stones and the side to move are.
impl PartialEq for Position {
    fn eq(&self, other: &Position) -> bool {
        self.stones == other.stones && self.turn == other.turn
    }
}

impl Eq for Position {}
