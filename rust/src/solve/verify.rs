//! The independent verifier: stones and the slow reference rules, nothing else.
//!
//! It knows no pattern state, no planes and no fast forbidden code. A proof that it rejects is no
//! proof.

use super::{Attack, Proof};
use crate::board::Stones;
use crate::rules::Forbidden;
use crate::rules::reference::{forbidden_kind, has_five_or_more, makes_five};
use crate::types::{Color, Point};

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
    /// A reply that the tree does not answer.
    #[error("no answer to {0}")]
    NoAnswer(Point),
}

/// Checks a proof for the attacker to move.
pub fn verify(stones: &Stones, proof: &Proof) -> Result<(), Rejection> {
    let mut moves = Vec::new();
    let over = Color::ALL.iter().any(|&color| has_five_or_more(stones, color));
    let result =
        if over { Err(Fault::GameOver) } else { check(*stones, proof.attacker, &proof.tree, &mut moves) };
    result.map_err(|fault| Rejection { moves, fault })
}

/// Does the attack win from here, with the attacker to move? On a fault, `moves` leads to it.
fn check(stones: Stones, attacker: Color, attack: &Attack, moves: &mut Vec<Point>) -> Result<(), Fault> {
    let (stone, defender) = (attack.stone, attacker.opponent());
    if stones.at(stone).is_some() {
        return Err(Fault::Occupied(stone));
    }
    if makes_five(&stones, attacker, stone) {
        return Ok(());
    }
    if attacker == Color::Black && forbidden_kind(&stones, stone) != Forbidden::None {
        return Err(Fault::Forbidden(stone));
    }
    let stones = stones.with(attacker, stone);
    moves.push(stone);
    let empty = || stones.empty().points();
    if let Some(five) = empty().find(|&p| makes_five(&stones, defender, p)) {
        return Err(Fault::DefenderWins(five));
    }
    let completions: Vec<Point> = empty().filter(|&p| makes_five(&stones, attacker, p)).collect();
    let is_legal = |&p: &Point| defender == Color::White || forbidden_kind(&stones, p) == Forbidden::None;
    match completions.as_slice() {
        [] => return Err(Fault::NoFour(stone)),
        [block] if is_legal(block) => {
            let answer = attack.replies.iter().find(|(reply, _)| reply == block);
            let (_, next) = answer.ok_or(Fault::NoAnswer(*block))?;
            moves.push(*block);
            check(stones.with(defender, *block), attacker, next, moves)?;
            moves.pop();
        }
        // Two completions, or a block that black may not play.
        _ => {}
    }
    moves.pop();
    Ok(())
}

fn moves_text(moves: &[Point]) -> String {
    if moves.is_empty() {
        return "no move".to_owned();
    }
    moves.iter().map(Point::to_string).collect::<Vec<_>>().join(" ")
}
