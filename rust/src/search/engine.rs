use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use super::root::{Iteration, RootMove};
use super::stages::Thinking;
use super::worker::Memory;
use super::{Params, Stats, Table};
use crate::board::Stones;
use crate::eval::{CellValues, MoveValue, move_value};
use crate::solve::{Proof, Solver};
use crate::threats::ThreatMap;
use crate::types::score::Score;
use crate::types::{Color, Point};

/// Where an answer comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Source {
    /// One of the 26 openings.
    Opening = 0,
    /// The opening book.
    Book,
    /// Five in a row.
    Five,
    /// The answer to a four.
    ForcedDefence,
    /// A proved win by fours.
    Vcf,
    /// A proved Mise-VCF.
    MiseVcf,
    /// A proved win by threats.
    Vct,
    /// The search.
    Search,
    /// There was only one move worth considering.
    SingleMove,
}

impl Source {
    /// All, in order.
    pub const ALL: [Source; 9] = [
        Source::Opening,
        Source::Book,
        Source::Five,
        Source::ForcedDefence,
        Source::Vcf,
        Source::MiseVcf,
        Source::Vct,
        Source::Search,
        Source::SingleMove,
    ];

    /// Its name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Source::Opening => "opening",
            Source::Book => "book",
            Source::Five => "five",
            Source::ForcedDefence => "forced-defence",
            Source::Vcf => "vcf",
            Source::MiseVcf => "mise-vcf",
            Source::Vct => "vct",
            Source::Search => "search",
            Source::SingleMove => "single-move",
        }
    }
}

/// Limits of one call, in place of those of the parameters.
#[derive(Clone, Copy, Debug, Default)]
pub struct CallLimits {
    /// Time; with `nodes` alone no clock is read.
    pub time: Option<Duration>,
    /// Nodes.
    pub nodes: Option<u64>,
    /// Plies.
    pub depth: Option<u32>,
}

/// What is asked of a position.
#[derive(Clone, Copy, Debug)]
pub struct Query {
    /// The stones.
    pub stones: Stones,
    /// Who moves.
    pub turn: Color,
    /// Limits.
    pub limits: CallLimits,
    /// So many best moves with exact scores.
    pub multipv: usize,
    /// Is a move to be played? Then what is forced is answered at once, the time rules hold, and levels that
    /// play at random do.
    pub is_play: bool,
    /// Chooses among moves of levels that play at random.
    pub seed: u64,
}

/// What the engine found.
#[derive(Clone, Debug)]
pub struct Answer {
    /// The move.
    pub best: Point,
    /// Its score for the side to move.
    pub score: Score,
    /// Last finished depth in plies.
    pub depth: u32,
    /// Deepest ply reached.
    pub seldepth: usize,
    /// Positions looked at in all.
    pub nodes: u64,
    /// The principal variation: the moves expected from here on, as far as they are sound.
    pub pv: Vec<Point>,
    /// Where the move comes from.
    pub source: Source,
    /// The best moves with exact scores.
    pub candidates: Vec<RootMove>,
    /// What the move is worth at a glance, term by term.
    pub breakdown: MoveValue,
    /// Counters.
    pub stats: Stats,
    /// Did a limit end the search?
    pub is_interrupted: bool,
    /// Is it the move of an earlier depth, because the last ones fell far behind it in a hurry?
    pub is_fallback: bool,
    /// The proof, if the move is proved to win.
    pub proof: Option<Proof>,
    /// Best move and score of every finished depth.
    pub depths: Vec<(u32, Point, Score)>,
}

/// There is no move: the game is over, or black has no legal point.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoMove {
    /// Somebody has five.
    #[error("the game is over: there is a five on the board")]
    Over,
    /// The board is full.
    #[error("the board is full")]
    Full,
    /// Black may play nowhere.
    #[error("black has no legal move")]
    NoLegal,
}

/// Threads of one engine. Each takes some megabytes, and more than a machine has cores only slow it down.
pub const MOST_THREADS: usize = 256;

/// The engine: parameters and a memory of positions.
pub struct Engine {
    pub(super) params: Params,
    pub(super) values: Arc<CellValues>,
    pub(super) table: Table,
    /// One for each thread.
    pub(super) memories: Vec<Memory>,
    pub(super) solver: Solver,
}

impl Engine {
    /// An engine with a table of so many bytes and so many threads, 1 to [`MOST_THREADS`]: what is less or more
    /// counts as the nearest of these. `None` if there is not so much memory.
    #[must_use]
    pub fn new(params: Params, hash_bytes: usize, threads: usize) -> Option<Engine> {
        let values = if params.fitted { CellValues::fitted() } else { CellValues::new(&params.scores) };
        Engine::with_values(params, values, hash_bytes, threads)
    }

    /// The same with values of one's own.
    #[must_use]
    pub fn with_values(
        params: Params,
        values: CellValues,
        hash_bytes: usize,
        threads: usize,
    ) -> Option<Engine> {
        let values = Arc::new(values);
        Some(Engine {
            params,
            values,
            table: Table::new(hash_bytes)?,
            memories: (0..threads.clamp(1, MOST_THREADS)).map(|_| Memory::default()).collect(),
            solver: Solver::default(),
        })
    }

    /// Forgets all positions.
    pub fn clear(&mut self) {
        self.table.forget();
    }

    /// Looks for the best move. `stop` ends the search when set; `should_stop` is asked now and then;
    /// `report` hears of every finished depth.
    pub fn think(
        &mut self,
        query: &Query,
        stop: &AtomicBool,
        should_stop: &mut dyn FnMut() -> bool,
        report: &mut dyn FnMut(&Iteration),
    ) -> Result<Answer, NoMove> {
        Thinking::start(self, query, stop, should_stop)?.run(report)
    }

    /// What a legal stone is worth at a glance, term by term.
    pub fn move_value(&mut self, map: &mut ThreatMap, color: Color, point: Point) -> MoveValue {
        let terms = self.params.terms();
        move_value(map, color, point, &self.params.scores, terms, &mut self.memories[0].vcf)
    }
}
