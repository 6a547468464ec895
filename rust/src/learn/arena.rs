use super::{ACTIONS, spread};
use crate::batch::Cells;
use crate::board::Stones;
use crate::rules::{FIRST_PASS_PLY, IllegalMove, IllegalRecord, Outcome, Position, Reason, Scan};
use crate::types::{BOARD_POINTS, Bitboard, Color, Move, Point, Random};

/// An action that cannot be taken.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadAction {
    /// The number of the action stands for no move.
    #[error("{code} is no action: points are 0..{}, a pass is {BOARD_POINTS}", BOARD_POINTS - 1)]
    Unknown {
        /// The number that stands for no move.
        code: i16,
    },
    /// The rules do not accept the move.
    #[error(transparent)]
    Illegal(#[from] IllegalMove),
}

/// How the game of a slot ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ending {
    /// Who won; `None` in a draw.
    pub winner: Option<Color>,
    /// The reason why the game ended.
    pub reason: Reason,
    /// The moves that were made in the game, those of its opening included.
    pub plies: usize,
}

/// Where the state of a slot is written for those who learn.
#[derive(Debug)]
pub struct View<'a> {
    /// The stones: 0 empty, 1 black, 2 white.
    pub cells: &'a mut Cells,
    /// The side to move: 1 black, 2 white.
    pub turn: &'a mut i8,
    /// Three planes: stones of the side to move, stones of its opponent, and ones if black is to move.
    pub planes: &'a mut [u8; 3 * BOARD_POINTS],
    /// 1 for every action that is legal and does not lose by a foul. A pass is among the legal actions only if no
    /// point is.
    pub mask: &'a mut [i8; ACTIONS],
}

/// One game, as far as the next move needs it.
#[derive(Clone, Debug)]
struct Slot {
    stones: Stones,
    turn: Color,
    plies: usize,
    is_after_pass: bool,
    /// Black's forbidden points if black is to move, else nothing.
    forbidden: Bitboard,
    random: Random,
}

impl Slot {
    /// The points that may be played without a foul.
    fn legal(&self) -> Bitboard {
        self.stones.empty() - self.forbidden
    }

    fn check(&self, action: i16) -> Result<Move, BadAction> {
        let mv = usize::try_from(action)
            .ok()
            .and_then(Move::from_index)
            .ok_or(BadAction::Unknown { code: action })?;
        match mv {
            Move::Pass if self.plies < FIRST_PASS_PLY => Err(IllegalMove::EarlyPass.into()),
            Move::Pass => Ok(mv),
            Move::Place(point) => match self.stones.at(point) {
                Some(color) => Err(IllegalMove::Occupied { point, color }.into()),
                None => Ok(mv),
            },
        }
    }

    /// Makes a move that was checked; tells how the game ended, if it did.
    fn play(&mut self, mv: Move, move_limit: Option<usize>) -> Option<Ending> {
        let color = self.turn;
        let ended = match mv {
            Move::Pass => self.is_after_pass.then_some((None, Reason::TwoPasses)),
            Move::Place(point) => {
                self.stones.place(color, point);
                if self.forbidden.contains(point) {
                    Some((Some(Color::White), Reason::Forbidden))
                } else {
                    Outcome::of_stone(&self.stones, point).map(|outcome| (outcome.winner, outcome.reason))
                }
            }
        };
        self.is_after_pass = mv == Move::Pass;
        self.plies += 1;
        self.turn = color.opponent();
        let exhausted = || {
            if self.stones.empty().is_empty() {
                Some((None, Reason::BoardFull))
            } else {
                move_limit.is_some_and(|limit| self.plies >= limit).then_some((None, Reason::MoveLimit))
            }
        };
        let ending = ended.or_else(exhausted);
        match ending {
            Some((winner, reason)) => Some(Ending { winner, reason, plies: self.plies }),
            None => {
                self.look();
                None
            }
        }
    }

    /// Finds the forbidden points, which only matter when black is to move.
    fn look(&mut self) {
        self.forbidden = match self.turn {
            Color::Black => Scan::of(&self.stones).points().all(),
            Color::White => Bitboard::EMPTY,
        };
    }

    fn write(&self, view: View<'_>) {
        let [black, white] = Color::ALL.map(|color| self.stones.of(color));
        let mut cells = [[0; BOARD_POINTS]; 2];
        spread(black, &mut cells[0]);
        spread(white, &mut cells[1]);
        for (cell, (&black, &white)) in view.cells.iter_mut().zip(cells[0].iter().zip(&cells[1])) {
            *cell = (black + 2 * white) as i8;
        }
        let is_black = self.turn == Color::Black;
        let (own, other) = if is_black { (&cells[0], &cells[1]) } else { (&cells[1], &cells[0]) };
        *view.turn = self.turn as i8;
        view.planes[..BOARD_POINTS].copy_from_slice(own);
        view.planes[BOARD_POINTS..2 * BOARD_POINTS].copy_from_slice(other);
        view.planes[2 * BOARD_POINTS..].fill(u8::from(is_black));
        let legal = self.legal();
        let mut points = [0; BOARD_POINTS];
        spread(&legal, &mut points);
        for (mark, point) in view.mask.iter_mut().zip(points) {
            *mark = point as i8;
        }
        view.mask[BOARD_POINTS] = i8::from(legal.is_empty());
    }
}

/// Many games side by side, stepped together; a game that ends begins anew.
///
/// The rules are those of [`Position`] with the referee on: a forbidden stone of black is accepted and loses.
///
/// ```
/// use renju::learn::Arena;
/// let mut arena = Arena::new(2, &[], 0, None).unwrap();
/// let actions = arena.sample(&[true, true]);
/// assert_eq!(arena.step(&actions).unwrap(), [None, None]);
/// ```
#[derive(Clone, Debug)]
pub struct Arena {
    slots: Vec<Slot>,
    /// The positions that games begin from, with the number of moves that lead there.
    starts: Vec<(Stones, Color, usize)>,
    move_limit: Option<usize>,
}

impl Arena {
    /// The number of an action that leaves a slot as it is.
    pub const NO_ACTION: i16 = -1;

    /// `count` games that begin with one of these openings each, drawn evenly; without openings they begin from
    /// the empty board. After `move_limit` moves, those of the opening included, a game is drawn.
    pub fn new(
        count: usize,
        openings: &[Vec<Move>],
        seed: u64,
        move_limit: Option<usize>,
    ) -> Result<Arena, IllegalRecord> {
        let mut starts = Vec::with_capacity(openings.len().max(1));
        for moves in openings {
            let mut position = Position::default();
            position.play_all(moves)?;
            if let Some(outcome) = position.outcome() {
                let (number, mv) = (moves.len(), *moves.last().expect("a game that ended has moves"));
                return Err(IllegalRecord { number, mv, fault: IllegalMove::GameOver(outcome.reason) });
            }
            starts.push((*position.stones(), position.turn(), moves.len()));
        }
        if starts.is_empty() {
            starts.push((Stones::EMPTY, Color::Black, 0));
        }
        let slot = |n: usize| Slot {
            stones: Stones::EMPTY,
            turn: Color::Black,
            plies: 0,
            is_after_pass: false,
            forbidden: Bitboard::EMPTY,
            random: Random::part(seed, n as u64),
        };
        let mut arena = Arena { slots: (0..count).map(slot).collect(), starts, move_limit };
        (0..count).for_each(|n| arena.begin(n));
        Ok(arena)
    }

    /// The number of games.
    #[must_use]
    pub fn len(&self) -> usize {
        self.slots.len()
    }

    /// Are there no games?
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.slots.is_empty()
    }

    /// The stones of a slot, and the side to move.
    #[must_use]
    pub fn position(&self, slot: usize) -> (&Stones, Color) {
        (&self.slots[slot].stones, self.slots[slot].turn)
    }

    /// Begins the game of a slot anew.
    pub fn begin(&mut self, slot: usize) {
        let game = &mut self.slots[slot];
        let start = if self.starts.len() == 1 { 0 } else { game.random.below(self.starts.len()) };
        (game.stones, game.turn, game.plies) = self.starts[start];
        game.is_after_pass = false;
        game.look();
    }

    /// Takes one action in every slot; [`Arena::NO_ACTION`] leaves a slot as it is. Tells how games ended; those
    /// have begun anew. If an action cannot be taken nothing is changed, and the error has the index of its slot.
    ///
    /// # Panics
    /// If there is not one action for each slot.
    pub fn step(&mut self, actions: &[i16]) -> Result<Vec<Option<Ending>>, (usize, BadAction)> {
        assert_eq!(actions.len(), self.slots.len(), "one action for each slot");
        for (n, (slot, &action)) in self.slots.iter().zip(actions).enumerate() {
            if action != Arena::NO_ACTION {
                slot.check(action).map_err(|error| (n, error))?;
            }
        }
        let mut endings = vec![None; self.slots.len()];
        for (n, &action) in actions.iter().enumerate() {
            let Some(mv) = usize::try_from(action).ok().and_then(Move::from_index) else { continue };
            endings[n] = self.slots[n].play(mv, self.move_limit);
            if endings[n].is_some() {
                self.begin(n);
            }
        }
        Ok(endings)
    }

    /// A random legal action of every slot that is wanted, all equally likely; [`Arena::NO_ACTION`] for the others.
    /// A pass is drawn only where no point is legal.
    pub fn sample(&mut self, wanted: &[bool]) -> Vec<i16> {
        let draw = |(slot, &is_wanted): (&mut Slot, &bool)| {
            if !is_wanted {
                return Arena::NO_ACTION;
            }
            let legal = slot.legal();
            match legal.len() {
                0 => Move::PASS_INDEX as i16,
                count => nth(&legal, slot.random.below(count)).index() as i16,
            }
        };
        self.slots.iter_mut().zip(wanted).map(draw).collect()
    }

    /// Writes the state of a slot.
    pub fn write(&self, slot: usize, view: View<'_>) {
        self.slots[slot].write(view);
    }
}

/// The point of a set with `n` points before it.
fn nth(set: &Bitboard, mut n: usize) -> Point {
    for (i, &word) in set.words().iter().enumerate() {
        let count = word.count_ones() as usize;
        if n < count {
            let rest = (0..n).fold(word, |rest, _| rest & (rest - 1));
            let bit = 64 * i + rest.trailing_zeros() as usize;
            return Point::new(bit % 16, bit / 16).expect("a point of the set");
        }
        n -= count;
    }
    unreachable!("the set has more than n points")
}
