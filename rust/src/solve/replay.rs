//! A tree of attacks on a board that it was not made for, such as its own board with one more stone of the defender.

use super::Attack;
use super::threat::{breaking_replies, line_wins, line_zone};
use crate::threats::{Presence, ThreatMap};
use crate::types::{Bitboard, Color, Point};

/// Does the tree win for the attacker, to move, on the board as it is? Answers that are no longer needed are not
/// asked for: those to replies against which the threat itself wins. `visits` counts the attacks looked at.
pub(super) fn tree_wins(map: &mut ThreatMap, attacker: Color, attack: &Attack, visits: &mut u64) -> bool {
    *visits += 1;
    if map.stones().at(attack.stone).is_some() {
        return false;
    }
    if map.fives(attacker).contains(attack.stone) {
        return true;
    }
    if !map.is_legal(attacker, attack.stone) {
        return false;
    }
    map.play(attacker, attack.stone);
    let wins = holds(map, attacker, attack, visits);
    map.undo();
    wins
}

/// Does the tree hold after its first stone, with the defender to move?
fn holds(map: &mut ThreatMap, attacker: Color, attack: &Attack, visits: &mut u64) -> bool {
    let defender = attacker.opponent();
    if !map.fives(defender).is_empty() {
        return false;
    }
    let completions = map.fives(attacker);
    if let Some(block) = completions.points().next() {
        let is_won = completions.len() > 1 || !map.is_legal(defender, block);
        return is_won || answer_wins(map, attacker, attack, block, visits);
    }
    let Some(line) = attack.after_pass.as_deref().map(line_of) else { return false };
    if !line_wins(map, attacker, &line) {
        return false;
    }
    let mut breaking = Vec::new();
    breaking_replies(map, attacker, &line, &mut breaking);
    let has_answer = |reply| attack.replies.iter().any(|(known, _)| known == reply);
    breaking.iter().all(has_answer)
        && breaking.into_iter().all(|reply| answer_wins(map, attacker, attack, reply, visits))
}

fn answer_wins(
    map: &mut ThreatMap,
    attacker: Color,
    attack: &Attack,
    reply: Point,
    visits: &mut u64,
) -> bool {
    let Some((_, next)) = attack.replies.iter().find(|(known, _)| *known == reply) else { return false };
    map.play(attacker.opponent(), reply);
    let wins = tree_wins(map, attacker, next, visits);
    map.undo();
    wins
}

/// The stones and blocks of fours that a stone threatens.
fn line_of(fours: &Attack) -> Vec<Point> {
    let mut line = vec![fours.stone];
    let mut fours = fours;
    while let Some((block, next)) = fours.replies.first() {
        line.extend([*block, next.stone]);
        fours = next;
    }
    line
}

/// The empty cells on which one more stone of the defender is likely to matter to a tree that wins, on its own board or
/// another: a guess, which may miss a cell whose stone matters only together with another reply.
pub(super) fn tree_zone(map: &mut ThreatMap, attacker: Color, attack: &Attack) -> Bitboard {
    let mut zone = Bitboard::EMPTY;
    widen(map, attacker, attack, &mut zone);
    zone & map.stones().empty()
}

fn widen(map: &mut ThreatMap, attacker: Color, attack: &Attack, zone: &mut Bitboard) {
    let defender = attacker.opponent();
    // On another board than its own a tree holds answers that are not needed, and that may be impossible.
    if map.stones().at(attack.stone).is_some() {
        return;
    }
    zone.insert(attack.stone);
    if map.fives(attacker).contains(attack.stone) {
        return;
    }
    // A stone that makes a three lets a later reply make a four.
    *zone |= gains(map, defender);
    if map.is_forbidden_in_form(attack.stone) {
        *zone |= line_zone(map, attacker, &[attack.stone]);
    }
    map.play(attacker, attack.stone);
    *zone |= map.fives(attacker);
    if let Some(line) = attack.after_pass.as_deref().map(line_of).filter(|line| is_free(map, line)) {
        *zone |= line_zone(map, attacker, &line);
        for step in line.as_chunks::<2>().0 {
            map.play(attacker, step[0]);
            map.play(defender, step[1]);
            *zone |= gains(map, defender);
        }
        for _ in 0..line.len() / 2 * 2 {
            map.undo();
        }
    }
    for (reply, next) in &attack.replies {
        if map.stones().at(*reply).is_some() {
            continue;
        }
        zone.insert(*reply);
        map.play(defender, *reply);
        widen(map, attacker, next, zone);
        map.undo();
    }
    map.undo();
}

/// Are all points of a line empty?
fn is_free(map: &ThreatMap, line: &[Point]) -> bool {
    line.iter().all(|&p| map.stones().at(p).is_none())
}

/// The cells on which a stone makes a three or a four of this colour.
fn gains(map: &ThreatMap, color: Color) -> Bitboard {
    map.cells_with(color, Presence::Four)
        | map.cells_with(color, Presence::OpenThree)
        | map.cells_with(color, Presence::ClosedThree)
}
