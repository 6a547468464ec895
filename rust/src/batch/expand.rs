use super::{BadRecord, Cells, write_cells};
use crate::record::parse_moves;
use crate::rules::{Outcome, Position};
use crate::types::BOARD_POINTS;

/// What the outcome code says of a game without a winner.
const DRAW: i8 = 3;

/// The positions of many games, one after the other. All lists but `errors` have an entry for each position.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Expanded {
    /// Boards.
    pub boards: Vec<Cells>,
    /// Who moves, 1 or 2.
    pub turns: Vec<i8>,
    /// The index of the record it comes from.
    pub games: Vec<i64>,
    /// Moves made before it.
    pub plies: Vec<u16>,
    /// The move made in it, 225 for a pass, -1 if the record ends here.
    pub played: Vec<i16>,
    /// 0 while the game goes on, 1 or 2 if black or white has won, 3 for a draw.
    pub outcomes: Vec<i8>,
    /// The outcome of the whole record.
    pub results: Vec<i8>,
    /// The records that cannot be read or played, by their index; nothing of them is in the lists.
    pub errors: Vec<(usize, BadRecord)>,
}

/// All positions of these games, from the empty board on, as far as their ply is `wanted`, which is asked
/// with the number of moves of the game too. `go_on` is asked after each game; `None` if it says no.
pub fn expand<S: AsRef<str>>(
    records: &[S],
    referee: bool,
    wanted: impl Fn(usize, usize) -> bool,
    mut go_on: impl FnMut() -> bool,
) -> Option<Expanded> {
    let mut all = Expanded::default();
    for (game, record) in records.iter().enumerate() {
        if !go_on() {
            return None;
        }
        let before = all.turns.len();
        if let Err(error) = all.add(game, record.as_ref(), referee, &wanted) {
            all.truncate(before);
            all.errors.push((game, error));
        }
    }
    Some(all)
}

fn outcome_code(position: &Position) -> i8 {
    let code = |outcome: &Outcome| outcome.winner.map_or(DRAW, |winner| winner as i8);
    position.outcome().map_or(0, code)
}

impl Expanded {
    fn add(
        &mut self,
        game: usize,
        record: &str,
        referee: bool,
        wanted: impl Fn(usize, usize) -> bool,
    ) -> Result<(), BadRecord> {
        let moves = parse_moves(record)?;
        let mut position = Position::new(referee, None);
        for ply in 0..=moves.len() {
            if wanted(ply, moves.len()) {
                let mut cells = [0; BOARD_POINTS];
                write_cells(position.stones(), &mut cells);
                self.boards.push(cells);
                self.turns.push(position.turn() as i8);
                self.games.push(game as i64);
                self.plies.push(ply as u16);
                self.played.push(moves.get(ply).map_or(-1, |mv| mv.index() as i16));
                self.outcomes.push(outcome_code(&position));
            }
            if ply < moves.len() {
                position.play_all(&moves[ply..=ply])?;
            }
        }
        self.results.resize(self.turns.len(), outcome_code(&position));
        Ok(())
    }

    fn truncate(&mut self, positions: usize) {
        self.boards.truncate(positions);
        self.turns.truncate(positions);
        self.games.truncate(positions);
        self.plies.truncate(positions);
        self.played.truncate(positions);
        self.outcomes.truncate(positions);
    }
}
