use std::convert::Infallible;
use std::ops::Range;
use std::sync::atomic::AtomicBool;

use super::{BadRecord, Cells, Effort, Item, Plan, Record, run};
use crate::rules::{Outcome, Position};
use crate::types::{BOARD_POINTS, Move};

/// What the outcome code says of a game without a winner.
const DRAW: i8 = 3;

/// The positions of many games, one after the other. The first lists have an entry for each position.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Expanded {
    /// The cells of every position.
    pub boards: Vec<Cells>,
    /// The side to move in every position: 1 for black, 2 for white.
    pub turns: Vec<i8>,
    /// The index of the record that every position comes from.
    pub games: Vec<i64>,
    /// The number of moves made before every position.
    pub plies: Vec<u16>,
    /// The move made in every position, 225 for a pass, -1 if the record ends there.
    pub played: Vec<i16>,
    /// The outcome in every position: 0 while the game goes on, 1 or 2 if black or white has won, 3 for a draw.
    pub outcomes: Vec<i8>,
    /// The outcome of the whole record that every position comes from, in the numbers of `outcomes`.
    pub results: Vec<i8>,
    /// The moves of all records, one after the other, as indices of points; 225 is a pass.
    pub moves: Vec<u8>,
    /// For each record, where its moves end in `moves`.
    pub ends: Vec<i64>,
    /// The records that cannot be read or played, by their index; nothing of them is in the other lists.
    pub errors: Vec<(usize, BadRecord)>,
}

/// Which positions of a game are wanted, by the number of moves made before them.
#[derive(Clone, Copy, Debug)]
pub struct Plies {
    /// The least number of moves before a wanted position.
    pub first: usize,
    /// The greatest number of moves before a wanted position.
    pub last: usize,
    /// Whether only the end of the record is wanted, if it is within these numbers.
    pub only_last: bool,
}

impl Plies {
    /// The plies wanted of a game with this number of moves.
    fn of(self, moves: usize) -> Range<usize> {
        let first = if self.only_last { self.first.max(moves) } else { self.first };
        first..self.last.min(moves) + 1
    }
}

/// All wanted positions of these games, from the empty board on. `go_on` is asked as by [`run`]; `None` if it
/// says no.
pub fn expand(
    records: &[Record<'_>],
    referee: bool,
    plies: Plies,
    threads: usize,
    go_on: impl FnMut(usize) -> bool,
) -> Result<Option<Expanded>, rayon::ThreadPoolBuildError> {
    let mut parts: Vec<_> = records.iter().map(|_| None).collect();
    let plan = Plan { threads, effort: Effort::Quick };
    let one = |record: &Record<'_>, part: &mut Option<_>| {
        *part = Some(one_game(*record, referee, plies));
        Ok::<_, Infallible>(Item::Done)
    };
    let report = run(records, &mut parts, plan, &AtomicBool::new(false), || one, go_on)?;
    Ok(report.is_complete().then(|| joined(parts.into_iter().flatten().collect())))
}

fn one_game(record: Record<'_>, referee: bool, plies: Plies) -> Result<Expanded, BadRecord> {
    let moves = record.moves()?;
    let wanted = plies.of(moves.len());
    let mut game = Expanded { boards: Vec::with_capacity(wanted.len()), ..Expanded::default() };
    let mut position = Position::new(referee, None);
    let mut cells = [0; BOARD_POINTS];
    for ply in 0..=moves.len() {
        let next = moves.get(ply);
        if wanted.contains(&ply) {
            game.boards.push(cells);
            game.turns.push(position.turn() as i8);
            game.plies.push(ply as u16);
            game.played.push(next.map_or(-1, |mv| mv.index() as i16));
            game.outcomes.push(outcome_code(&position));
        }
        if let Some(Move::Place(point)) = next {
            cells[point.index()] = position.turn() as i8;
        }
        position.play_all(moves.get(ply..=ply).unwrap_or_default())?;
    }
    game.results = vec![outcome_code(&position); game.turns.len()];
    game.moves = moves.iter().map(|mv| mv.index() as u8).collect();
    Ok(game)
}

fn outcome_code(position: &Position) -> i8 {
    let code = |outcome: &Outcome| outcome.winner.map_or(DRAW, |winner| winner as i8);
    position.outcome().map_or(0, code)
}

fn joined(parts: Vec<Result<Expanded, BadRecord>>) -> Expanded {
    let positions = parts.iter().flatten().map(|part| part.turns.len()).sum();
    let mut all = Expanded { boards: Vec::with_capacity(positions), ..Expanded::default() };
    for (game, part) in parts.into_iter().enumerate() {
        match part {
            Ok(part) => {
                all.games.resize(all.games.len() + part.turns.len(), game as i64);
                all.boards.extend(part.boards);
                all.turns.extend(part.turns);
                all.plies.extend(part.plies);
                all.played.extend(part.played);
                all.outcomes.extend(part.outcomes);
                all.results.extend(part.results);
                all.moves.extend(part.moves);
            }
            Err(error) => all.errors.push((game, error)),
        }
        all.ends.push(all.moves.len() as i64);
    }
    all
}

/// The compact texts of parts of games, one after the other, and where each ends; a pass is `--`. A part is a
/// range of `moves`.
///
/// ```
/// use renju::batch::prefixes;
/// use renju::types::Move;
/// let moves = [112, 128].map(|index| Move::from_index(index).unwrap());
/// assert_eq!(prefixes(&moves, [0..0, 0..1, 0..2].into_iter()), (b"h8h8i9".to_vec(), vec![0, 2, 6]));
/// ```
#[must_use]
pub fn prefixes(moves: &[Move], parts: impl ExactSizeIterator<Item = Range<usize>>) -> (Vec<u8>, Vec<i64>) {
    let mut text = Vec::with_capacity(3 * moves.len());
    let mut places = Vec::with_capacity(moves.len() + 1);
    places.push(0);
    for mv in moves {
        match mv {
            Move::Pass => text.extend(b"--"),
            Move::Place(point) => {
                let row = point.y() as u8 + 1;
                text.push(b'a' + point.x() as u8);
                text.extend((row >= 10).then_some(b'1'));
                text.push(b'0' + row % 10);
            }
        }
        places.push(text.len());
    }
    let (mut texts, mut ends) = (Vec::new(), Vec::with_capacity(parts.len()));
    for part in parts {
        texts.extend(&text[places[part.start]..places[part.end]]);
        ends.push(texts.len() as i64);
    }
    (texts, ends)
}
