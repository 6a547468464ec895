//! The search: equal to plain minimax without its shortcuts, and right where the answer is known.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use crate::support::{Random, compact, game_positions, json_lines, played, point, side, stones};
use renju::board::Stones;
use renju::eval::{CellMap, CellValues, Scores, four_threes};
use renju::rules::{Forbidden, fives_of};
use renju::search::{Answer, CallLimits, Engine, Level, Params, Query, Source};
use renju::solve::verify;
use renju::threats::ThreatMap;
use renju::types::score::{Score, is_decided, plies_to_end, win_in};
use renju::types::{Bitboard, Color, Point};

fn query(stones: &Stones, turn: Color) -> Query {
    let limits = CallLimits { nodes: Some(1_000_000), ..CallLimits::default() };
    Query { stones: *stones, turn, limits, multipv: 1, is_play: true, seed: 0 }
}

fn new_engine(params: Params, bytes: usize) -> Engine {
    Engine::new(params, bytes, 1).expect("some megabytes")
}

fn ask(engine: &mut Engine, query: &Query) -> Answer {
    engine.think(query, &AtomicBool::new(false), &mut || false, &mut |_| {}).expect("a move")
}

fn answer(level: Level, stones: &Stones, turn: Color) -> Answer {
    ask(&mut new_engine(Params::of(level), 1 << 20), &query(stones, turn))
}

/// All shortcuts off: what is left must be plain minimax.
fn plain(depth: u32, table: bool) -> Params {
    Params {
        depth,
        nodes: 0,
        vcf: false,
        mise_vcf: false,
        vct: false,
        opponent_vcf: false,
        table,
        aspiration: false,
        lmr: false,
        null_move: false,
        futility: false,
        quiescence: false,
        mandatory_defence: false,
        ..Params::default()
    }
}

/// Plain minimax, literally: every legal move near a stone, values at the end.
struct Minimax {
    map: ThreatMap,
    cells: CellMap,
}

impl Minimax {
    fn new(stones: &Stones) -> Minimax {
        let values = Arc::new(CellValues::new(&Scores::default()));
        Minimax { map: ThreatMap::new(stones), cells: CellMap::new(stones, values) }
    }

    fn score(&mut self, color: Color, depth: u32, ply: usize) -> Score {
        if !self.map.fives(color).is_empty() {
            return win_in(ply + 1);
        }
        if depth == 0 {
            let scores = Scores::default();
            let threat = if four_threes(&self.map, color).is_empty() { 0 } else { scores.leaf_four_three };
            return self.cells.board_value(color) + threat;
        }
        let moves: Vec<Point> =
            near(self.map.stones()).points().filter(|&p| is_legal(&self.map, color, p)).collect();
        moves.into_iter().map(|point| self.score_of(color, point, depth, ply)).max().unwrap_or(0)
    }

    fn score_of(&mut self, color: Color, point: Point, depth: u32, ply: usize) -> Score {
        self.map.play(color, point);
        self.cells.play(color, point);
        let score = -self.score(color.opponent(), depth - 1, ply + 1);
        self.map.undo();
        self.cells.undo();
        score
    }
}

/// Is there a five, or hardly a point left?
fn is_over(stones: &Stones) -> bool {
    fives_of(stones.black(), false) || fives_of(stones.white(), false) || stones.empty().len() < 20
}

fn near(stones: &Stones) -> Bitboard {
    let mut near = Bitboard::EMPTY;
    for point in (Bitboard::ALL - stones.empty()).points() {
        for x in point.x().saturating_sub(2)..=point.x() + 2 {
            near |= (point.y().saturating_sub(2)..=point.y() + 2).filter_map(|y| Point::new(x, y)).collect();
        }
    }
    near & stones.empty()
}

fn is_legal(map: &ThreatMap, color: Color, point: Point) -> bool {
    color == Color::White || map.forbidden_kind(point) == Forbidden::None
}

#[test]
fn without_shortcuts_it_is_minimax() {
    let mut random = Random::new(6);
    let (mut compared, mut decided) = (0, 0);
    for (i, (stones, turn)) in game_positions().into_iter().step_by(11).enumerate() {
        if is_over(&stones) || !ThreatMap::new(&stones).fives(turn).is_empty() || stones.len() < 2 {
            continue;
        }
        // Depth 3 costs most; a few positions with few stones are enough of it.
        let depth = if i % 20 == 0 && stones.len() <= 12 { 3 } else { 1 + random.below(2) as u32 };
        let expected = Minimax::new(&stones).score(turn, depth, 0);
        for table in [false, true] {
            let mut engine = new_engine(plain(depth, table), 1 << 20);
            let limits = CallLimits { nodes: Some(u64::MAX), ..CallLimits::default() };
            // A block that is the only one is answered without a search; ask for an analysis.
            let query = Query { limits, is_play: false, ..query(&stones, turn) };
            let answer = ask(&mut engine, &query);
            if answer.source == Source::ForcedDefence {
                continue;
            }
            assert_eq!(
                answer.score,
                expected,
                "depth {depth} table {table}\n{:?} to move {turn:?}",
                stones.diagram()
            );
            compared += 1;
            decided += usize::from(is_decided(expected));
        }
    }
    assert!(compared >= 400 && decided >= 3, "{compared} {decided}");
}

#[test]
fn known_answers() {
    // Five at once, rather than the block of a four.
    let board = stones(compact("e8f8g8h8a1"), compact("e9f9g9h9"));
    for level in Level::ALL {
        let five = answer(level, &board, Color::Black);
        assert_eq!((five.source, plies_to_end(five.score)), (Source::Five, Some(1)), "{level:?}");
    }
    // The block of a four.
    let board = stones(compact("e8f8g8h8"), compact("d8j3k4"));
    for level in Level::ALL {
        let block = answer(level, &board, Color::White);
        assert_eq!((block.best, block.source), (point("I8"), Source::ForcedDefence), "{level:?}");
    }
    // An open three is stopped; only its three stops and fours are moves.
    let board = stones(compact("f8g8h8"), compact("k3l4"));
    for level in [Level::Easy, Level::Medium, Level::Hard, Level::Master] {
        let stop = answer(level, &board, Color::White);
        let stops = compact("d8e8i8j8");
        assert!(stops.contains(stop.best), "{level:?} {}", stop.best);
    }
}

#[test]
fn proved_wins_are_played_and_verified() {
    const SOURCES: [Source; 3] = [Source::Vcf, Source::MiseVcf, Source::Vct];
    let mut seen = [0; 3];
    for file in ["vcf_cases.jsonl", "mise_vcf_cases.jsonl", "vct_cases.jsonl"] {
        for row in json_lines(file) {
            let list = |name: &str| row[name].as_array().map(|_| crate::support::points(&row[name]));
            let (Some(black), Some(white)) = (list("black"), list("white")) else { continue };
            let (stones, turn) = (stones(black, white), side(&row));
            let mut engine = new_engine(Params::of(Level::Hard), 1 << 20);
            let Ok(found) =
                engine.think(&query(&stones, turn), &AtomicBool::new(false), &mut || false, &mut |_| {})
            else {
                continue;
            };
            if let Some(proof) = &found.proof {
                verify(&stones, proof, &mut || false).expect("a win that is played is proved");
                assert_eq!(found.best, proof.line()[0]);
                let place = SOURCES.iter().position(|&source| source == found.source);
                seen[place.expect("what is proved comes from a threat search")] += 1;
            }
        }
    }
    assert!(seen.iter().all(|&count| count > 0) && seen[0] > 50, "{seen:?}");
}

/// The search claims a win: played out against many replies, it is one.
#[test]
fn claimed_wins_can_be_played_out() {
    let mut random = Random::new(9);
    let params = Params { vct: false, mise_vcf: false, vcf: false, ..Params::of(Level::Master) };
    let mut engine = new_engine(params, 1 << 22);
    let mut won = 0;
    for (board, turn) in game_positions().into_iter().step_by(11) {
        let limits = CallLimits { nodes: Some(20_000), ..CallLimits::default() };
        let Ok(found) = engine.think(
            &Query { limits, ..query(&board, turn) },
            &AtomicBool::new(false),
            &mut || false,
            &mut |_| {},
        ) else {
            continue;
        };
        if !is_decided(found.score) || found.score < 0 || found.source == Source::Five {
            continue;
        }
        won += 1;
        // The winner is the engine with all its means, the other side plays anything it likes.
        let (mut stones, mut color) = (board, turn);
        let mut winner = new_engine(Params::of(Level::Master), 1 << 22);
        let mut is_won = false;
        for ply in 0..60 {
            let map = ThreatMap::new(&stones);
            let point = if color == turn {
                ask(
                    &mut winner,
                    &Query { limits: CallLimits { nodes: Some(100_000), ..limits }, ..query(&stones, color) },
                )
                .best
            } else if let Some(block) = map.fives(turn).points().find(|&p| is_legal(&map, color, p)) {
                block
            } else {
                let replies: Vec<Point> =
                    near(&stones).points().filter(|&p| is_legal(&map, color, p)).collect();
                replies[random.below(replies.len())]
            };
            assert!(is_legal(&map, color, point) && stones.at(point).is_none());
            is_won = map.fives(color).contains(point);
            if is_won {
                assert_eq!(color, turn, "the winner wins, ply {ply}\n{:?}", board.diagram());
                break;
            }
            stones.place(color, point);
            color = color.opponent();
        }
        assert!(is_won, "{:?}", board.diagram());
    }
    assert!(won > 20, "{won}");
}

#[test]
fn lost_positions_get_an_answer() {
    // Black's only block is forbidden.
    let position = played("h8g6f6g5f7g4h7g3g2a1");
    for level in Level::ALL {
        let lost = answer(level, position.stones(), Color::Black);
        assert_eq!((lost.source, plies_to_end(lost.score)), (Source::ForcedDefence, Some(-2)));
        assert!(is_legal(&ThreatMap::new(position.stones()), Color::Black, lost.best));
    }
    // Two completions.
    let board = stones(compact("e8f8g8h8"), compact("a1a3a5"));
    let lost = answer(Level::Hard, &board, Color::White);
    assert_eq!(plies_to_end(lost.score), Some(-2));
    assert!(compact("d8i8").contains(lost.best));
}

#[test]
fn the_same_nodes_give_the_same_answer() {
    let positions: Vec<_> =
        game_positions().into_iter().step_by(97).filter(|(s, _)| s.empty().len() > 20).collect();
    for level in Level::ALL {
        let mut used = new_engine(Params::of(level), 1 << 18);
        for (stones, turn) in &positions {
            let limits = CallLimits { nodes: Some(5_000), ..CallLimits::default() };
            let query = Query { limits, ..query(stones, *turn) };
            let ask = |engine: &mut Engine| {
                engine
                    .think(&query, &AtomicBool::new(false), &mut || false, &mut |_| {})
                    .ok()
                    .map(|a| (a.best, a.score, a.nodes, a.depth, a.stats))
            };
            let fresh = ask(&mut new_engine(Params::of(level), 1 << 18));
            assert_eq!(ask(&mut used), fresh, "what was searched before does not matter");
            if let Some((_, _, nodes, ..)) = fresh {
                assert!(nodes <= 8_000, "{nodes}");
            }
        }
    }
}

#[test]
fn exact_scores_of_several_moves() {
    // The best moves of an analysis have the scores they get alone.
    for (stones, turn) in
        game_positions().into_iter().step_by(151).filter(|(s, _)| !is_over(s) && s.len() > 1)
    {
        let limits = CallLimits { nodes: Some(u64::MAX), ..CallLimits::default() };
        let query = Query { limits, is_play: false, multipv: 4, ..query(&stones, turn) };
        let mut engine = new_engine(plain(2, false), 1 << 20);
        let Ok(several) = engine.think(&query, &AtomicBool::new(false), &mut || false, &mut |_| {}) else {
            continue;
        };
        if several.source != Source::Search {
            continue;
        }
        let mut minimax = Minimax::new(&stones);
        let map = ThreatMap::new(&stones);
        let mut all: Vec<Score> = near(&stones)
            .points()
            .filter(|&p| is_legal(&map, turn, p))
            .map(|p| minimax.score_of(turn, p, 2, 0))
            .collect();
        all.sort_unstable_by(|a, b| b.cmp(a));
        let found: Vec<Score> = several.candidates.iter().map(|c| c.score).collect();
        assert_eq!(found, all[..found.len()]);
        assert_eq!(found.len(), 4.min(all.len()));
    }
}

#[test]
fn limits_are_obeyed() {
    let (stones, turn) = game_positions().into_iter().nth(500).expect("enough positions");
    let mut engine = new_engine(Params::of(Level::Master), 1 << 20);
    // A stop that was set before.
    let stop = AtomicBool::new(true);
    let limits = CallLimits { time: Some(Duration::from_secs(1_000)), ..CallLimits::default() };
    let query = Query { limits, ..query(&stones, turn) };
    let answer = engine.think(&query, &stop, &mut || false, &mut |_| {}).expect("a move all the same");
    assert!(answer.is_interrupted && stones.at(answer.best).is_none());
    // A depth.
    let shallow = Query { limits: CallLimits { depth: Some(3), nodes: Some(u64::MAX), time: None }, ..query };
    let answer = engine.think(&shallow, &AtomicBool::new(false), &mut || false, &mut |_| {}).expect("a move");
    assert!(answer.depth <= 3 && !answer.is_interrupted || answer.proof.is_some());
}

/// Threads that fight for the few places of a small table: what one reads of another's entry must not become an
/// illegal move. ThreadSanitizer watches them here (`make sanitize`).
#[test]
fn threads_share_a_table() {
    let mut engine = Engine::new(Params::of(Level::Master), 1 << 12, 4).expect("some kilobytes");
    let mut searched = 0;
    for (stones, turn) in
        game_positions().into_iter().step_by(301).filter(|(s, _)| !is_over(s) && s.len() > 6)
    {
        // Without a limit of time one thread would search alone.
        let limits = CallLimits {
            time: Some(Duration::from_millis(20)),
            nodes: Some(20_000),
            ..CallLimits::default()
        };
        let found = ask(&mut engine, &Query { limits, is_play: false, ..query(&stones, turn) });
        assert!(stones.at(found.best).is_none() && is_legal(&ThreatMap::new(&stones), turn, found.best));
        searched += usize::from(found.source == Source::Search);
    }
    assert!(searched > 3, "only {searched} positions came to a search");
}

/// Every switch on its own still gives legal moves, and its counter moves only with it.
#[test]
fn every_technique_can_be_switched_off() {
    let positions: Vec<_> =
        game_positions().into_iter().step_by(53).filter(|(s, _)| !is_over(s) && s.len() > 6).collect();
    let count = |params: &Params, counter: &str| -> u64 {
        let mut engine = new_engine(params.clone(), 1 << 20);
        let limits = CallLimits { nodes: Some(3_000), ..CallLimits::default() };
        let count = |(stones, turn): &(Stones, Color)| {
            let query = Query { limits, is_play: false, ..query(stones, *turn) };
            let found = ask(&mut engine, &query);
            assert!(is_legal(&ThreatMap::new(stones), *turn, found.best) && stones.at(found.best).is_none());
            found.stats.entries().find(|(name, _)| *name == counter).expect("a counter").1
        };
        positions.iter().map(count).sum()
    };
    for (level, switch, counter) in [
        (Level::Hard, "table", "table_hits"),
        (Level::Hard, "aspiration", "aspiration_researches"),
        (Level::Hard, "lmr", "reductions"),
        (Level::Hard, "null_move", "null_move_cutoffs"),
        (Level::Hard, "futility", "futility_skips"),
        (Level::Hard, "quiescence", "quiescence_nodes"),
        (Level::Master, "razoring", "razoring_cutoffs"),
        (Level::Master, "reverse_futility", "reverse_futility_cutoffs"),
        (Level::Master, "move_count_pruning", "move_count_skips"),
        (Level::Master, "late_futility", "futility_skips"),
    ] {
        let mut params = Params {
            vct: false,
            mise_vcf: false,
            vcf: false,
            opponent_vcf: false,
            null_move_margin: 0,
            ..Params::of(level)
        };
        assert!(params.set(switch, 1));
        assert!(count(&params, counter) > 0, "{switch} is of use");
        assert!(params.set(switch, 0));
        assert_eq!(count(&params, counter), 0, "{switch} is off");
    }
    // The extension of high scores is off by default, and does something if it is not.
    let extended = Params { score_extension: true, score_extension_from: 300, ..plain(2, false) };
    assert!(count(&extended, "extensions") > 0);
    assert_eq!(count(&plain(2, false), "extensions"), 0);
}

#[test]
fn quiescence_plays_fours_out() {
    let score = |stones: &Stones, turn: Color, quiescence: bool, depth: u32| {
        let mut params = Params { quiescence, quiescence_depth: depth, ..plain(1, false) };
        params.mandatory_defence = false;
        let limits = CallLimits { nodes: Some(u64::MAX), depth: Some(1), time: None };
        let found =
            ask(&mut new_engine(params, 1 << 18), &Query { limits, is_play: false, ..query(stones, turn) });
        (found.score, found.stats.quiescence_nodes)
    };
    // Without a four on the board or in reach, standing still is all there is.
    let quiet = stones(compact("h8i7"), compact("h9g6"));
    assert_eq!(score(&quiet, Color::Black, true, 2), (score(&quiet, Color::Black, false, 2).0, 0));
    // White can play a four after black's move: it is looked at, and further with more depth.
    let sharp = stones(compact("h8i7c12d3"), compact("e5f5g5l10"));
    let (_, none) = score(&sharp, Color::Black, true, 0);
    let (_, some) = score(&sharp, Color::Black, true, 2);
    assert!(some > none, "{some} {none}");
    // Against a four nobody stands still: whatever black plays but the block is lost.
    let four = stones(compact("a1b3c5o9"), compact("e5f5g5h5"));
    let blocked = stones(compact("a1b3c5o9d5"), compact("e5f5g5h5"));
    let params = plain(1, false);
    let limits = CallLimits { nodes: Some(u64::MAX), depth: Some(1), time: None };
    let mut engine = new_engine(Params { quiescence: true, ..params }, 1 << 18);
    let other = Query { limits, is_play: false, ..query(&blocked, Color::Black) };
    assert_eq!(ask(&mut engine, &other).best, point("I5"));
    assert_eq!(plies_to_end(ask(&mut engine, &Query { stones: four, ..other }).score), Some(-2));
}

#[test]
fn a_lost_depth_falls_back() {
    use renju::search::{Iteration, RootMove, fallback};
    let iteration = |depth, score| Iteration {
        depth,
        seldepth: 0,
        nodes: 0,
        moves: vec![RootMove { point: point("H8"), score, is_exact: true, pv: vec![point("H8")] }],
    };
    let params = Params::default();
    let depth_of = |scores: &[Score]| {
        let iterations: Vec<Iteration> =
            (1..).zip(scores).map(|(depth, &score)| iteration(depth, score)).collect();
        fallback(&params, &iterations, *scores.last().expect("a score")).map(|found| found.depth)
    };
    // 2,500 or more, and more than 1,500 above the result.
    assert_eq!(depth_of(&[0, 2_600, 900]), Some(2));
    assert_eq!(depth_of(&[0, 2_400, 100]), None);
    assert_eq!(depth_of(&[0, 2_600, 1_100]), None);
    assert_eq!(depth_of(&[0, 2_600, 1_099]), Some(2));
}

#[test]
fn lines_are_cut_where_they_are_unsound() {
    use renju::search::valid_part;
    let line = |text: &str| text.split(' ').map(point).collect::<Vec<_>>();
    // White ignores a four.
    let board = stones(compact("e8f8g8"), compact("d8c3"));
    assert_eq!(valid_part(&mut ThreatMap::new(&board), Color::Black, &line("H8 A1 I8")), line("H8"));
    assert_eq!(valid_part(&mut ThreatMap::new(&board), Color::Black, &line("H8 I8 J9")), line("H8 I8 J9"));
    // White ignores a three that becomes a straight four.
    let board = stones(compact("f8g8"), compact("c3c4"));
    assert_eq!(valid_part(&mut ThreatMap::new(&board), Color::Black, &line("H8 O1 I8")), line("H8"));
    assert_eq!(valid_part(&mut ThreatMap::new(&board), Color::Black, &line("H8 I8 K9")), line("H8 I8 K9"));
    // An occupied point, and one forbidden to black.
    assert_eq!(valid_part(&mut ThreatMap::new(&board), Color::Black, &line("K9 F8")), line("K9"));
    let forbidden = stones(compact("g8i8h7h9"), compact("a1b1c1d3"));
    assert_eq!(valid_part(&mut ThreatMap::new(&forbidden), Color::Black, &line("H8 A5")), Vec::new());
}
