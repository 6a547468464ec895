//! The independent verifier: stones and the slow reference rules, nothing else.
//!
//! It knows no pattern state, no planes and no fast forbidden code. A proof that it rejects is no
//! proof.

use super::{Attack, Kind, Proof};
use crate::board::Stones;
use crate::rules::Forbidden;
use crate::rules::reference::{forbidden_kind, has_five_or_more, makes_five};
use crate::types::{Bitboard, Color, Direction, Point};

/// Why a proof is none.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("after {}: {fault}", moves_text(.moves))]
pub struct Rejection {
    /// The moves that lead to the fault.
    pub moves: Vec<Point>,
    /// What is wrong there.
    pub fault: Fault,
}

/// What can be wrong with a proof.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Fault {
    /// The game is over before it begins.
    #[error("somebody has five or more already")]
    GameOver,
    /// An attacker stone on an occupied point.
    #[error("{0} is occupied")]
    Occupied(Point),
    /// A forbidden attacker stone.
    #[error("{0} is forbidden to black")]
    Forbidden(Point),
    /// The defender can make a five.
    #[error("the defender makes five at {0}")]
    DefenderWins(Point),
    /// A stone that makes no four, in a win by fours.
    #[error("{0} makes no four")]
    NoFour(Point),
    /// A stone that makes no four and for which no win after a pass is given.
    #[error("{0} makes no four, and what it threatens is not told")]
    NoThreat(Point),
    /// A reply that the tree does not answer.
    #[error("no answer to {0}")]
    NoAnswer(Point),
    /// The check was stopped before its end.
    #[error("the check was stopped before its end")]
    Stopped,
}

/// How far from a stone another one can make or spoil a five with it: six in a row spoil black's.
const REACH: isize = 5;

/// Checks a proof for the attacker to move. `should_stop` is asked now and then.
pub fn verify(
    stones: &Stones,
    proof: &Proof,
    should_stop: &mut dyn FnMut() -> bool,
) -> Result<(), Rejection> {
    let mut check = Check { attacker: proof.attacker, moves: Vec::new(), should_stop };
    let over = Color::ALL.iter().any(|&color| has_five_or_more(stones, color));
    let result = if over {
        Err(Fault::GameOver)
    } else {
        check.wins(&Board::new(*stones), &proof.tree, proof.kind == Kind::Vcf)
    };
    result.map_err(|fault| Rejection { moves: check.moves, fault })
}

/// Stones, and the points where one more makes five.
#[derive(Clone)]
struct Board {
    stones: Stones,
    /// Key: colour.
    fives: [Bitboard; 2],
}

impl Board {
    fn new(stones: Stones) -> Board {
        let fives = Color::ALL
            .map(|color| stones.empty().points().filter(|&p| makes_five(&stones, color, p)).collect());
        Board { stones, fives }
    }

    /// With one more stone. It can make and spoil its own colour's fives only along its lines; the
    /// other colour just loses the point.
    fn with(&self, color: Color, point: Point) -> Board {
        let mut board = Board { stones: self.stones.with(color, point), fives: self.fives };
        board.fives[0].remove(point);
        board.fives[1].remove(point);
        let own = &mut board.fives[color.index()];
        for direction in Direction::ALL {
            for p in (-REACH..=REACH).filter_map(|steps| direction.from(point, steps)) {
                if board.stones.at(p).is_some() {
                    continue;
                }
                if makes_five(&board.stones, color, p) {
                    own.insert(p);
                } else {
                    own.remove(p);
                }
            }
        }
        board
    }

    fn fives(&self, color: Color) -> Bitboard {
        self.fives[color.index()]
    }

    fn is_legal(&self, color: Color, point: Point) -> bool {
        color == Color::White || forbidden_kind(&self.stones, point) == Forbidden::None
    }
}

struct Check<'a> {
    attacker: Color,
    /// On a fault, these lead to it.
    moves: Vec<Point>,
    should_stop: &'a mut dyn FnMut() -> bool,
}

impl Check<'_> {
    /// Does the attack win from here, with the attacker to move? Stones that make no four are
    /// allowed only where the defender may reply anywhere.
    fn wins(&mut self, board: &Board, attack: &Attack, only_fours: bool) -> Result<(), Fault> {
        let (stone, attacker, defender) = (attack.stone, self.attacker, self.attacker.opponent());
        if board.stones.at(stone).is_some() {
            return Err(Fault::Occupied(stone));
        }
        if makes_five(&board.stones, attacker, stone) {
            return Ok(());
        }
        if !board.is_legal(attacker, stone) {
            return Err(Fault::Forbidden(stone));
        }
        let board = board.with(attacker, stone);
        self.moves.push(stone);
        if let Some(five) = board.fives(defender).points().next() {
            return Err(Fault::DefenderWins(five));
        }
        let completions: Vec<Point> = board.fives(attacker).points().collect();
        match completions.as_slice() {
            [] if only_fours => return Err(Fault::NoFour(stone)),
            [] => self.holds_everywhere(&board, attack)?,
            [block] if board.is_legal(defender, *block) => {
                let (_, next) = answer(attack, *block).ok_or(Fault::NoAnswer(*block))?;
                self.wins_after(&board, *block, next, only_fours)?;
            }
            // Two completions, or a block that black may not play.
            _ => {}
        }
        self.moves.pop();
        Ok(())
    }

    /// The defender may reply anywhere: every reply has its answer, or the win after a pass holds
    /// against it move by move.
    fn holds_everywhere(&mut self, board: &Board, attack: &Attack) -> Result<(), Fault> {
        if (self.should_stop)() {
            return Err(Fault::Stopped);
        }
        let after_pass = attack.after_pass.as_deref().ok_or(Fault::NoThreat(attack.stone))?;
        self.wins(board, after_pass, true)?;
        let defender = self.attacker.opponent();
        for reply in board.stones.empty().points() {
            if !board.is_legal(defender, reply) {
                continue;
            }
            match answer(attack, reply) {
                Some((_, next)) => self.wins_after(board, reply, next, false)?,
                None => self.wins_after(board, reply, after_pass, true)?,
            }
        }
        Ok(())
    }

    fn wins_after(
        &mut self,
        board: &Board,
        reply: Point,
        next: &Attack,
        only_fours: bool,
    ) -> Result<(), Fault> {
        self.moves.push(reply);
        self.wins(&board.with(self.attacker.opponent(), reply), next, only_fours)?;
        self.moves.pop();
        Ok(())
    }
}

fn answer(attack: &Attack, reply: Point) -> Option<&(Point, Attack)> {
    attack.replies.iter().find(|(known, _)| *known == reply)
}

fn moves_text(moves: &[Point]) -> String {
    if moves.is_empty() {
        return "no move".to_owned();
    }
    moves.iter().map(Point::to_string).collect::<Vec<_>>().join(" ")
}
