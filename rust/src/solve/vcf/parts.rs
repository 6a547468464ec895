//! Fours that have nothing to do with each other, searched apart.
//!
//! A crowded board may hold a dozen fours in different corners. Searched together, every choice in one corner
//! meets every choice in the others: the numbers of positions multiply. If no stone of one part can ever help
//! another, a win needs the stones of a single part, and the numbers add up instead.
//!
//! Why that is so: take a win, let its last stone belong to part P, and leave all stones and blocks of other
//! parts out. The fours of P are made of P's stones and those on the board, or else a line would hold stones
//! of two parts, and these are joined. Without the other blocks they have no fewer completions. Without the
//! other stones the defender may get a counter-four, or black's stone or block another verdict: where that
//! can be, parts are joined, too. So what remains is a win within P.

use super::super::LimitHit;
use super::{Found, Four, Search};
use crate::board::Stones;
use crate::rules::Forbidden;
use crate::types::{BOARD_POINTS, Bitboard, Color, Direction, Line, Point};

/// No block: where a four of another part has none.
const NONE: u8 = u8::MAX;

/// Cells of a row that wins.
const FIVE: usize = 5;

/// A search among some of the fours of the first position, and those that follow from them.
pub(super) struct Part {
    /// Key: stone of a four of the first position that is left to others; value: its block.
    foreign: [u8; BOARD_POINTS],
    footprint: Footprint,
}

/// What such a search touched.
#[derive(Clone, Copy, Default)]
struct Footprint {
    /// Stones of the attacker, tried or at least considered.
    stones: Bitboard,
    /// The stones of the fours and their blocks.
    cells: Bitboard,
    /// Cells that have a say in whether a stone or a block is forbidden, or the defender has a four.
    near: Bitboard,
    /// Cells anywhere may matter: there was a double-three in form.
    is_open: bool,
}

impl Part {
    fn is_foreign(&self, four: Four) -> bool {
        self.foreign[four.stone.index()] == four.block.index() as u8
    }
}

impl Search<'_, '_> {
    /// The same as [`Search::attack`] in the first position, part by part.
    pub(super) fn attack_in_parts(&mut self, depth: u16) -> Result<Found, LimitHit> {
        let unstoppable = self.collect_fours();
        let fours = std::mem::take(self.fours);
        let mut parts: Vec<(Vec<Four>, Footprint)> = Vec::new();
        let mut waiting = grouped(&fours);
        let is_simple = unstoppable.is_none() && self.map.fives(self.attacker.opponent()).is_empty();
        if !is_simple || waiting.len() < 2 {
            return self.attack_at_once(depth);
        }
        let mut exhausted = true;
        while let Some(part) = waiting.pop() {
            let (found, footprint) = self.explore(&part, &fours, depth)?;
            match found {
                Found::Win => return Ok(Found::Win),
                Found::Nothing { exhausted: all } => exhausted &= all,
            }
            if footprint.is_open {
                return self.attack_at_once(depth);
            }
            parts.push((part, footprint));
            if waiting.is_empty()
                && let Some(joined) = take_joined(&mut parts, self.map.stones(), self.attacker)
            {
                if parts.is_empty() {
                    return self.attack_at_once(depth);
                }
                waiting.push(joined);
            }
        }
        Ok(Found::Nothing { exhausted })
    }

    /// All parts as one.
    fn attack_at_once(&mut self, depth: u16) -> Result<Found, LimitHit> {
        self.failures.forget();
        self.attack(depth)
    }

    /// Searches a part alone.
    fn explore(&mut self, part: &[Four], all: &[Four], depth: u16) -> Result<(Found, Footprint), LimitHit> {
        let mut foreign = [NONE; BOARD_POINTS];
        for four in all {
            if !part.iter().any(|own| own.stone == four.stone) {
                foreign[four.stone.index()] = four.block.index() as u8;
            }
        }
        // What failed without the others may not fail with them.
        self.failures.forget();
        self.part = Some(Box::new(Part { foreign, footprint: Footprint::default() }));
        let found = self.attack(depth);
        let part = self.part.take().expect("it was just put there");
        Ok((found?, part.footprint))
    }

    /// Keeps the fours from `first` on that belong to the part, if there is one, and writes down what they
    /// have to do with others.
    pub(super) fn keep_part(&mut self, first: usize) {
        let Some(part) = &self.part else { return };
        let mut kept = self.fours.split_off(first);
        kept.retain(|&four| !part.is_foreign(four));
        for &four in &kept {
            self.note_four(four);
        }
        self.fours.append(&mut kept);
    }

    /// Writes down what a four of the current position has to do with others.
    fn note_four(&mut self, Four { stone, block }: Four) {
        let stones = *self.map.stones();
        let mut near = Bitboard::EMPTY;
        let mut is_open = false;
        if self.attacker == Color::White {
            // The block may become forbidden where black has room; one that is so in form already, even by
            // stones far away.
            near = rows_through(block, |row| (row & *stones.white()).is_empty().then_some(row));
            is_open = self.map.is_forbidden_in_form(block);
        } else {
            match self.map.forbidden_kind(stone) {
                // Nothing that is added makes an overline shorter.
                Forbidden::None | Forbidden::Overline => {}
                // It would be allowed if one of the fours could not be completed.
                Forbidden::DoubleFour => {
                    near = rows_through(stone, |row| {
                        let is_four =
                            (row & *stones.white()).is_empty() && (row & *stones.black()).len() == FIVE - 2;
                        is_four.then_some(row)
                    });
                }
                Forbidden::DoubleThree => is_open = true,
            }
        }
        let Some(part) = &mut self.part else { return };
        let footprint = &mut part.footprint;
        footprint.stones.insert(stone);
        footprint.cells |= Bitboard::of(stone).with(block);
        footprint.near |= near;
        footprint.is_open |= is_open;
    }

    /// Writes down the fours of the defender, which are completed here: a stone of others could be in their
    /// way, or answer them.
    pub(super) fn note_counters(&mut self, completions: Bitboard) {
        let Some(part) = &mut self.part else { return };
        part.footprint.near |= completions;
        let black = *self.map.stones().black();
        for point in completions.points().filter(|_| self.attacker == Color::White) {
            part.footprint.near |=
                rows_through(point, |row| ((row & black).len() == FIVE - 1).then_some(Bitboard::EMPTY));
        }
    }
}

/// Fours that share a cell belong together.
fn grouped(fours: &[Four]) -> Vec<Vec<Four>> {
    let mut groups: Vec<(Bitboard, Vec<Four>)> = Vec::new();
    for &four in fours {
        let mut group = (Bitboard::of(four.stone).with(four.block), vec![four]);
        groups.retain_mut(|(cells, members)| {
            let is_apart = (*cells & group.0).is_empty();
            if !is_apart {
                group.0 |= *cells;
                group.1.append(members);
            }
            is_apart
        });
        groups.push(group);
    }
    groups.into_iter().map(|(_, members)| members).collect()
}

/// Takes parts that may help each other out of the list and returns their fours together.
fn take_joined(
    parts: &mut Vec<(Vec<Four>, Footprint)>,
    stones: &Stones,
    attacker: Color,
) -> Option<Vec<Four>> {
    let together = pair_that_meets(parts).or_else(|| parts_on_a_row(parts, stones, attacker))?;
    let mut joined = Vec::new();
    // From the last on, so that the places of the others stay.
    for place in together.into_iter().rev() {
        joined.append(&mut parts.remove(place).0);
    }
    Some(joined)
}

/// Two parts that have a cell in common, or of which one has a say in what the other may play.
fn pair_that_meets(parts: &[(Vec<Four>, Footprint)]) -> Option<Vec<usize>> {
    for (j, (_, b)) in parts.iter().enumerate() {
        for (i, (_, a)) in parts[..j].iter().enumerate() {
            let meets = (a.cells & b.cells) | (a.near & b.cells) | (a.cells & b.near);
            if !meets.is_empty() {
                return Some(vec![i, j]);
            }
        }
    }
    None
}

/// Parts whose stones together may make a four: three of five cells, none of them the defender's now.
fn parts_on_a_row(parts: &[(Vec<Four>, Footprint)], stones: &Stones, attacker: Color) -> Option<Vec<usize>> {
    let (own, other) = (stones.of(attacker), stones.of(attacker.opponent()));
    for line in Line::all() {
        let points: Vec<Point> = line.points().collect();
        for row in points.windows(FIVE) {
            let row: Bitboard = row.iter().copied().collect();
            if !(row & *other).is_empty() {
                continue;
            }
            let mut count = (row & *own).len();
            let mut places = Vec::new();
            for (place, (_, footprint)) in parts.iter().enumerate() {
                let new = (row & footprint.stones).len();
                if new > 0 {
                    count += new;
                    places.push(place);
                }
            }
            if count >= FIVE - 2 && places.len() > 1 {
                return Some(places);
            }
        }
    }
    None
}

/// The cells of five-cell rows through a point, with the cells at both ends of each, that `matters` picks: it
/// is given the row without the point. The ends count because a row of black must be exactly five.
fn rows_through(point: Point, matters: impl Fn(Bitboard) -> Option<Bitboard>) -> Bitboard {
    let mut cells = Bitboard::EMPTY;
    for direction in Direction::ALL {
        for first in 1 - FIVE as isize..=0 {
            let steps = first..first + FIVE as isize;
            let row: Option<Bitboard> = steps.clone().map(|step| direction.from(point, step)).collect();
            let Some(picked) = row.and_then(|row| matters(row & !Bitboard::of(point))) else { continue };
            let ends = [steps.start - 1, steps.end].map(|step| direction.from(point, step));
            cells |= picked | ends.into_iter().flatten().collect();
        }
    }
    cells
}
