//! The independent verifier: stones and the slow reference rules, nothing else.
//!
//! It knows no pattern state, no planes and no fast forbidden code. A proof that it rejects is no
//! proof.

use super::{Attack, Proof, WinKind};
use crate::board::Stones;
use crate::rules::Forbidden;
use crate::rules::reference::{
    completions, extensions, forbidden_kind, has_five_or_more, has_real_three, makes_five, run_length,
};
use crate::types::{Bitboard, Color, Direction, Point};

/// Why a proof is none.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("after {}: {fault}", moves_text(.moves))]
pub struct Rejection {
    /// The moves that lead to the fault.
    pub moves: Vec<Point>,
    /// What is wrong with the proof there.
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
    /// A stone of the attacker is forbidden.
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
    /// A stone that threatens a longer win than the proof says.
    #[error("{0} threatens a win by more fours than the threat limit")]
    LongThreat(Point),
    /// A first stone of a Mise-VCF that is no mise: no three or four that threatens a four-three.
    #[error("{0} makes neither three nor four, or threatens no four-three")]
    NoMise(Point),
    /// A later stone of a Mise-VCF that makes no four and blocks none.
    #[error("{0} neither makes a four nor blocks one")]
    NoBlock(Point),
    /// A reply that the tree does not answer.
    #[error("no answer to {0}")]
    NoAnswer(Point),
    /// The check was stopped before its end.
    #[error("the check was stopped before its end")]
    Stopped,
}

/// How far from a stone another one can make or spoil a five with it: six in a row spoil black's.
const REACH: isize = 5;

/// Checks a proof for the attacker to move: that the tree wins, and with attacks of its kind only.
/// `should_stop` is asked now and then.
pub fn verify(
    stones: &Stones,
    proof: &Proof,
    should_stop: &mut dyn FnMut() -> bool,
) -> Result<(), Rejection> {
    check(stones, proof, false, should_stop)
}

/// As [`verify`], for a tree that was made on another board: an answer that fails here does no harm if what the stone
/// threatens wins against the reply.
pub(super) fn verify_replayed(
    stones: &Stones,
    proof: &Proof,
    should_stop: &mut dyn FnMut() -> bool,
) -> Result<(), Rejection> {
    check(stones, proof, true, should_stop)
}

fn check(
    stones: &Stones,
    proof: &Proof,
    is_replayed: bool,
    should_stop: &mut dyn FnMut() -> bool,
) -> Result<(), Rejection> {
    let mut check = Check { proof, is_replayed, moves: Vec::new(), should_stop };
    check.proof(stones).map_err(|fault| Rejection { moves: check.moves, fault })
}

/// Stones, and the points where one more makes five.
#[derive(Clone)]
struct Board {
    stones: Stones,
    /// Key: colour; value: the cells that complete a five.
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
    proof: &'a Proof,
    /// Was the tree made on another board?
    is_replayed: bool,
    /// The moves that lead to the current position; on a fault, to the fault.
    moves: Vec<Point>,
    should_stop: &'a mut dyn FnMut() -> bool,
}

impl Check<'_> {
    fn proof(&mut self, stones: &Stones) -> Result<(), Fault> {
        let Proof { kind, attacker, tree, .. } = self.proof;
        if Color::ALL.iter().any(|&color| has_five_or_more(stones, color)) {
            return Err(Fault::GameOver);
        }
        if *kind == WinKind::MiseVcf
            && stones.at(tree.stone).is_none()
            && !is_mise(stones, *attacker, tree.stone)
        {
            return Err(Fault::NoMise(tree.stone));
        }
        self.wins(&Board::new(*stones), tree, *kind == WinKind::Vcf)
    }

    /// May a stone that makes no four be played here, and does it threaten no more than it may?
    fn is_of_kind(&self, board: &Board, attack: &Attack) -> Result<(), Fault> {
        match self.proof.kind {
            // After the first stone only blocks of the defender's fours.
            WinKind::MiseVcf => {
                let is_block = board.fives(self.proof.attacker.opponent()).contains(attack.stone);
                if self.moves.is_empty() || is_block { Ok(()) } else { Err(Fault::NoBlock(attack.stone)) }
            }
            WinKind::Vcf | WinKind::Vct => match &attack.after_pass {
                Some(threat) if threat.depth() > self.proof.threat_limit => {
                    Err(Fault::LongThreat(attack.stone))
                }
                _ => Ok(()),
            },
        }
    }

    /// Does the attack win from here, with the attacker to move? Stones that make no four are
    /// allowed only where the defender may reply anywhere.
    fn wins(&mut self, board: &Board, attack: &Attack, only_fours: bool) -> Result<(), Fault> {
        let (stone, attacker) = (attack.stone, self.proof.attacker);
        let defender = attacker.opponent();
        if board.stones.at(stone).is_some() {
            return Err(Fault::Occupied(stone));
        }
        if makes_five(&board.stones, attacker, stone) {
            return Ok(());
        }
        if !board.is_legal(attacker, stone) {
            return Err(Fault::Forbidden(stone));
        }
        let of_kind = self.is_of_kind(board, attack);
        let board = board.with(attacker, stone);
        self.moves.push(stone);
        if let Some(five) = board.fives(defender).points().next() {
            return Err(Fault::DefenderWins(five));
        }
        let completions: Vec<Point> = board.fives(attacker).points().collect();
        match completions.as_slice() {
            [] if only_fours => return Err(Fault::NoFour(stone)),
            [] => {
                of_kind?;
                self.holds_everywhere(&board, attack)?;
            }
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
        let defender = self.proof.attacker.opponent();
        for reply in board.stones.empty().points() {
            if !board.is_legal(defender, reply) {
                continue;
            }
            match answer(attack, reply) {
                Some((_, next)) if self.is_replayed => {
                    let moves = self.moves.len();
                    match self.wins_after(board, reply, next, false) {
                        Err(Fault::Stopped) => return Err(Fault::Stopped),
                        Err(_) => {
                            self.moves.truncate(moves);
                            self.wins_after(board, reply, after_pass, true)?;
                        }
                        Ok(()) => {}
                    }
                }
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
        self.wins(&board.with(self.proof.attacker.opponent(), reply), next, only_fours)?;
        self.moves.pop();
        Ok(())
    }
}

/// ミセ手: does a stone make a three (for black a real one) or a four, and threaten a four-three?
fn is_mise(stones: &Stones, attacker: Color, stone: Point) -> bool {
    if !makes_four(stones, attacker, stone) && !makes_three(stones, attacker, stone) {
        return false;
    }
    let stones = stones.with(attacker, stone);
    let is_legal = |p| attacker == Color::White || forbidden_kind(&stones, p) == Forbidden::None;
    stones.empty().points().any(|p| {
        makes_four(&stones, attacker, p)
            && makes_three(&stones, attacker, p)
            && !makes_five(&stones, attacker, p)
            && is_legal(p)
    })
}

fn makes_four(stones: &Stones, color: Color, point: Point) -> bool {
    let played = stones.with(color, point);
    let is_four = |&d: &Direction| {
        run_length(&played, color, point, d) < 5 && !completions(&played, color, point, d).is_empty()
    };
    Direction::ALL.iter().any(is_four)
}

fn makes_three(stones: &Stones, color: Color, point: Point) -> bool {
    let played = stones.with(color, point);
    Direction::ALL.into_iter().any(|d| {
        completions(&played, color, point, d).is_empty()
            && match color {
                Color::Black => has_real_three(&played, point, d),
                Color::White => !extensions(&played, color, point, d).is_empty(),
            }
    })
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
