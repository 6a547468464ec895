use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use super::root::{Iteration, RootMove};
use super::stages::Thinking;
use super::worker::Memory;
use super::{Params, Stats, Table};
use crate::board::Stones;
use crate::eval::{CellMap, CellValues, MoveValue, move_value};
use crate::network::{Network, NetworkState};
use crate::rules::Position;
use crate::solve::{Proof, Solver};
use crate::threats::ThreatMap;
use crate::types::score::Score;
use crate::types::{Color, Point};

/// Where an answer comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Source {
    /// The move is that of one of the 26 openings.
    Opening = 0,
    /// The move is that of the opening book.
    Book,
    /// The move makes five in a row.
    Five,
    /// The move answers a four of the opponent.
    ForcedDefence,
    /// The move begins a proved win by fours.
    Vcf,
    /// The move begins a proved Mise-VCF.
    MiseVcf,
    /// The move begins a proved win by threats.
    Vct,
    /// The move is what the search prefers.
    Search,
    /// The move was the only one worth considering.
    SingleMove,
}

impl Source {
    /// All sources, in the order of their codes.
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

    /// The name of the source in reports and arrays.
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
    /// The number of nodes after which the search ends.
    pub nodes: Option<u64>,
    /// The depth in plies after which the search ends.
    pub depth: Option<u32>,
}

/// What is asked of a position.
#[derive(Clone, Copy, Debug)]
pub struct Query {
    /// The stones on the board.
    pub stones: Stones,
    /// The colour that is to move.
    pub turn: Color,
    /// The limits of this call.
    pub limits: CallLimits,
    /// How many of the best moves get exact scores.
    pub multipv: usize,
    /// Is a move to be played? Then what is forced is answered at once, the time rules hold, and levels that
    /// play at random do.
    pub is_play: bool,
    /// The number that decides which move is chosen by levels that play at random.
    pub seed: u64,
}

/// The best move on the empty board, to be played, within the limits of the parameters.
impl Default for Query {
    fn default() -> Query {
        Query {
            stones: Stones::EMPTY,
            turn: Color::Black,
            limits: CallLimits::default(),
            multipv: 1,
            is_play: true,
            seed: 0,
        }
    }
}

impl Query {
    /// The best move in a position, to be played, within the limits of the parameters.
    #[must_use]
    pub fn of(position: &Position) -> Query {
        Query { stones: *position.stones(), turn: position.turn(), ..Query::default() }
    }
}

/// What the engine found out about a position.
#[derive(Clone, Debug)]
pub struct Answer {
    /// The move to play.
    pub best: Point,
    /// The score of the move for the side to move.
    pub score: Score,
    /// The last finished depth, in plies.
    pub depth: u32,
    /// The deepest ply that any line reached.
    pub seldepth: usize,
    /// The number of positions looked at, those of the solvers included.
    pub nodes: u64,
    /// The principal variation: the moves expected from the position on, as far as they are sound.
    pub pv: Vec<Point>,
    /// The step of the engine that the move comes from.
    pub source: Source,
    /// The best moves with exact scores.
    pub candidates: Vec<RootMove>,
    /// What the move is worth at a glance, term by term.
    pub breakdown: MoveValue,
    /// The first stone of an undecided VCT, which the search tried before all other moves.
    pub vct_hint: Option<Point>,
    /// What the search did, in counters.
    pub stats: Stats,
    /// Did a limit end the search?
    pub is_interrupted: bool,
    /// Is the move that of an earlier depth, because the last ones fell far behind it in a hurry?
    pub is_fallback: bool,
    /// The proof, if the move is proved to win.
    pub proof: Option<Proof>,
    /// Best move and score of every finished depth.
    pub depths: Vec<(u32, Point, Score)>,
}

/// What a board is worth at a glance, in points of score: the sum of both shares is what the search has at a leaf,
/// without what levels that do not use the fitted table add for a four-three.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BoardShares {
    /// The share of the table of values.
    pub table: Score,
    /// The share of the network; `None` if the engine has none.
    pub network: Option<Score>,
}

/// There is no move: the game is over, or black has no legal point.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoMove {
    /// Somebody has five in a row.
    #[error("the game is over: there is a five on the board")]
    Over,
    /// There is no empty point.
    #[error("the board is full")]
    Full,
    /// Every empty point is forbidden to black.
    #[error("black has no legal move")]
    NoLegal,
}

/// Threads of one engine. Each takes some megabytes, and more than a machine has cores only slow it down.
pub const MOST_THREADS: usize = 256;

/// The engine: parameters and a memory of positions.
pub struct Engine {
    pub(super) params: Params,
    pub(super) values: Arc<CellValues>,
    /// The network that values boards beside the table, if the settings say so.
    pub(super) network: Option<Arc<Network>>,
    pub(super) table: Table,
    /// The memory of each thread.
    pub(super) memories: Vec<Memory>,
    pub(super) solver: Solver,
}

impl Engine {
    /// An engine with a table of at most `hash_bytes` bytes and with 1 to [`MOST_THREADS`] threads: what is
    /// less or more counts as the nearest of these. `None` if there is no memory for the table.
    #[must_use]
    pub fn new(params: Params, hash_bytes: usize, threads: usize) -> Option<Engine> {
        let values = if params.fitted { CellValues::fitted() } else { CellValues::new(&params.scores) };
        Engine::with_values(params, values, hash_bytes, threads)
    }

    /// An engine as that of [`Engine::new`], with values of one's own.
    #[must_use]
    pub fn with_values(
        params: Params,
        values: CellValues,
        hash_bytes: usize,
        threads: usize,
    ) -> Option<Engine> {
        let values = Arc::new(values);
        let network = (params.network && params.fitted).then(Network::shipped);
        Some(Engine {
            params,
            values,
            network,
            table: Table::new(hash_bytes)?,
            memories: (0..threads.clamp(1, MOST_THREADS)).map(|_| Memory::default()).collect(),
            solver: Solver::default(),
        })
    }

    /// Values boards by this network, or by none. A network stands beside the fitted table.
    pub fn set_network(&mut self, network: Option<Arc<Network>>) {
        self.params.network = network.is_some();
        if network.is_some() && !self.params.fitted {
            self.params.fitted = true;
            self.values = Arc::new(CellValues::fitted());
        }
        self.network = network;
        self.table.forget();
    }

    /// Forgets all positions that were searched.
    pub fn clear(&mut self) {
        self.table.forget();
    }

    /// Looks for the best move until a limit ends the search.
    pub fn best_move(&mut self, query: &Query) -> Result<Answer, NoMove> {
        self.think(query, &AtomicBool::new(false), &mut || false, &mut |_| {})
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

    /// What a board is worth at a glance to this colour, to move.
    #[must_use]
    pub fn board_shares(&self, stones: &Stones, color: Color) -> BoardShares {
        let cells = CellMap::new(stones, Arc::clone(&self.values));
        match &self.network {
            None => BoardShares { table: cells.board_value(color), network: None },
            Some(network) => {
                let mut state = NetworkState::new(Arc::clone(network), &cells);
                let network = Some(state.network_points(&cells, color));
                BoardShares { table: state.table_points(&cells, color), network }
            }
        }
    }

    /// What a legal stone is worth at a glance, term by term.
    pub fn move_value(&mut self, map: &mut ThreatMap, color: Color, point: Point) -> MoveValue {
        let terms = self.params.terms();
        move_value(map, color, point, &self.params.scores, terms, &mut self.memories[0].vcf)
    }
}
