//! Speed of the rules core. Every figure is per position, per point or per move, and the work's
//! answers are asserted before it is timed.
//!
//! `cargo bench -- --output-format bencher` prints one line per figure.

#[path = "../tests/rust/support/mod.rs"]
mod support;

use std::hint::black_box;
use std::sync::Arc;

use criterion::{Criterion, criterion_group, criterion_main};
use renju::batch::{self, Cells};
use renju::board::Stones;
use renju::eval::{CellMap, CellValues};
use renju::hidden::HiddenGame;
use renju::hidden::twin_cool::{GameState, KeyKind, Rules, TwinCool};
use renju::rules::{Class, InstructionSet, Scan, decode, reference};
use renju::search::signature;
use renju::solve::{Attacks, VcfOptions, VcfSolver, VctOptions, VctSolver, Verdict, verify};
use renju::threats::{Presence, Survey, ThreatMap, VerdictCache};
use renju::types::{BOARD_POINTS, Color, Direction, Point, Random};
use support::{forbidden_cases, game_positions, json_lines, points, quiet_positions, stones};

/// 87 fours.
const LONGEST_VCF: &str = "mintaka-deep_vcf-2";
const README_VCT: &str = "quintet-readme-vct";

/// Positions of the bundled games.
fn games() -> Vec<Stones> {
    game_positions().into_iter().map(|(stones, _)| stones).collect()
}

/// Crowded random positions, most with forbidden points.
fn dense() -> Vec<Stones> {
    let is_dense = |case: &support::Case| case.id.starts_with("forbidden_crosscheck");
    forbidden_cases().into_iter().filter(is_dense).map(|case| case.stones).collect()
}

/// Runs through a list, one item an iteration.
fn cycle<'a, T>(items: &'a [T]) -> impl FnMut() -> &'a T {
    let mut next = 0;
    move || {
        next = if next + 1 < items.len() { next + 1 } else { 0 };
        &items[next]
    }
}

fn scan(c: &mut Criterion) {
    let arrays: Vec<Cells> = games()
        .iter()
        .map(|stones| {
            let mut cells = [0; BOARD_POINTS];
            batch::write_cells(stones, &mut cells);
            assert_eq!(decode(&cells), Ok(*stones));
            cells
        })
        .collect();
    let mut cells = cycle(&arrays);
    c.bench_function("array board to stones", |b| b.iter(|| decode(black_box(cells()))));
    let mut cells = cycle(&arrays);
    let mut codes = [0; BOARD_POINTS];
    c.bench_function("array board to forbidden codes", |b| {
        b.iter(|| batch::forbidden(black_box(cells()), &mut codes));
    });
    let total = |boards: &[Stones]| boards.iter().map(|s| Scan::of(s).points().all().len()).sum::<usize>();
    for (name, boards) in [("game", games()), ("dense", dense())] {
        let slow: usize = boards.iter().map(|s| reference::forbidden_points(s).len()).sum();
        assert_eq!(total(&boards), slow, "the scan must be right before it is fast");
        for set in InstructionSet::available() {
            let mut board = cycle(&boards);
            c.bench_function(&format!("forbidden points of a {name} board, {set:?}"), |b| {
                b.iter(|| Scan::with_instructions(set, black_box(board())).points());
            });
        }
        let mut board = cycle(&boards);
        c.bench_function(&format!("threat survey of a {name} board, black"), |b| {
            b.iter(|| Survey::of(black_box(board()), Color::Black).by_threat());
        });
    }
}

/// Up to 16 moves near the stones of each position.
fn moves_of(boards: &[Stones]) -> Vec<(usize, Color, Point)> {
    let mut moves = Vec::new();
    for (i, stones) in boards.iter().enumerate() {
        let turn = stones.turn().expect("game positions alternate");
        let near = |p: &Point| {
            stones
                .black()
                .points()
                .chain(stones.white().points())
                .any(|q| p.x().abs_diff(q.x()) <= 2 && p.y().abs_diff(q.y()) <= 2)
        };
        moves.extend(stones.empty().points().filter(near).take(16).map(|p| (i, turn, p)));
    }
    moves
}

fn map(c: &mut Criterion) {
    let boards: Vec<Stones> = games().into_iter().step_by(20).collect();
    let mut maps: Vec<ThreatMap> = boards.iter().map(ThreatMap::new).collect();
    let moves = moves_of(&boards);
    for &(i, color, point) in &moves {
        maps[i].play(color, point);
        maps[i].check().expect("increments equal a fresh start");
        maps[i].undo();
        maps[i].check().expect("undo restores everything");
    }
    let mut mv = cycle(&moves);
    c.bench_function("play + undo, both colours", |b| {
        b.iter(|| {
            let &(i, color, point) = mv();
            let map = &mut maps[i];
            map.play(color, black_box(point));
            map.undo()
        });
    });
    let mut board = cycle(&boards);
    c.bench_function("threat map from stones", |b| b.iter(|| ThreatMap::new(black_box(board()))));
    let mut mv = cycle(&moves);
    c.bench_function("forbidden verdict of one cell on the map", |b| {
        b.iter(|| {
            let &(i, _, point) = mv();
            maps[i].forbidden_kind(black_box(point))
        });
    });
    let mut map = cycle(&maps);
    c.bench_function("who has a five, and where", |b| {
        b.iter(|| {
            let map = black_box(map());
            (map.fives(Color::Black), map.fives(Color::White))
        });
    });
    let mut map = cycle(&maps);
    c.bench_function("all cells that make a four, black", |b| {
        b.iter(|| black_box(map()).cells_with(Color::Black, Presence::Four));
    });
}

/// The one question worth remembering: is this double-three in form a real one?
fn cache(c: &mut Criterion) {
    let maps: Vec<ThreatMap> = dense().iter().step_by(10).map(ThreatMap::new).collect();
    let is_three = |map: &ThreatMap, p, d| map.class(Color::Black, p, d) == Class::OpenThree;
    let mut questions = Vec::new();
    for map in &maps {
        let threes = |p: Point| Direction::ALL.iter().filter(|&&d| is_three(map, p, d)).count();
        let open = map.stones().empty().points().filter(|&p| threes(p) >= 2);
        questions.extend(open.map(|p| (map, p)));
    }
    let mut kept = VerdictCache::default();
    for &(map, p) in &questions {
        assert_eq!(kept.forbidden_kind(map, p), map.forbidden_kind(p), "cached = fresh");
    }
    let mut question = cycle(&questions);
    c.bench_function("double-three verdict, fresh", |b| {
        b.iter(|| {
            let &(map, p) = question();
            map.forbidden_kind(black_box(p))
        });
    });
    let mut question = cycle(&questions);
    c.bench_function("double-three verdict, cached", |b| {
        b.iter(|| {
            let &(map, p) = question();
            kept.forbidden_kind(map, black_box(p))
        });
    });
    println!("{} questions, cache hits {}, misses {}", questions.len(), kept.hits(), kept.misses());
}

fn vcf(c: &mut Criterion) {
    let positions = quiet_positions();
    let mut solver = VcfSolver::default();
    let options = VcfOptions { max_depth: Some(12), ..VcfOptions::default() };
    let mut solve =
        |stones: &Stones, turn| solver.solve(&mut ThreatMap::new(stones), turn, options, &mut || false).0;
    let wins = positions.iter().filter(|(stones, turn)| matches!(solve(stones, *turn), Verdict::Proved(_)));
    assert_eq!(wins.count(), 351, "all wins of the quiet positions, and no others");
    let mut position = cycle(&positions);
    c.bench_function("VCF of a quiet position, 12 fours", |b| {
        b.iter(|| {
            let (stones, turn) = black_box(position());
            solve(stones, *turn)
        });
    });
    let row =
        json_lines("vcf_cases.jsonl").into_iter().find(|row| row["id"] == LONGEST_VCF).expect(LONGEST_VCF);
    let board = stones(points(&row["black"]), points(&row["white"]));
    let turn = if row["side"] == "black" { Color::Black } else { Color::White };
    c.bench_function("the longest VCF of vcf_cases.jsonl, first found", |b| {
        b.iter(|| {
            VcfSolver::default()
                .solve(&mut ThreatMap::new(&board), turn, VcfOptions::default(), &mut || false)
        });
    });
}

fn vct(c: &mut Criterion) {
    let threats = |limit, depth| VctOptions {
        attacks: Attacks::Threats(limit),
        max_depth: Some(depth),
        ..VctOptions::default()
    };
    let mut vcf = VcfSolver::default();
    let mut positions = quiet_positions();
    positions.retain(|(stones, turn)| {
        let (verdict, _) =
            vcf.solve(&mut ThreatMap::new(stones), *turn, VcfOptions::default(), &mut || false);
        !matches!(verdict, Verdict::Proved(_))
    });
    let mut solver = VctSolver::default();
    let mut solve = |stones: &Stones, turn| {
        solver.solve(&mut ThreatMap::new(stones), turn, threats(1, 4), &mut || false).0
    };
    let is_won = |(stones, turn): &&(Stones, Color)| matches!(solve(stones, *turn), Verdict::Proved(_));
    assert_eq!(positions.iter().filter(is_won).count(), 44, "of {}", positions.len());
    let mut position = cycle(&positions);
    c.bench_function("VCT of a quiet position, depth 4, threat limit 1", |b| {
        b.iter(|| {
            let (stones, turn) = black_box(position());
            solve(stones, *turn)
        });
    });
    let row =
        json_lines("vct_cases.jsonl").into_iter().find(|row| row["id"] == README_VCT).expect(README_VCT);
    let board = stones(points(&row["black"]), points(&row["white"]));
    for limit in [2, 3] {
        let mut solver = VctSolver::default();
        let (verdict, _) =
            solver.solve(&mut ThreatMap::new(&board), Color::White, threats(limit, 15), &mut || false);
        let Verdict::Proved(proof) = verdict else { panic!("white wins") };
        assert_eq!(verify(&board, &proof, &mut || false), Ok(()));
        c.bench_function(&format!("VCT of quintet's README, depth 15, threat limit {limit}"), |b| {
            b.iter(|| {
                solver.solve(&mut ThreatMap::new(&board), Color::White, threats(limit, 15), &mut || false)
            });
        });
    }
}

/// The codes of cells with the value of the board, and the node count of the search.
fn engine(c: &mut Criterion) {
    let values = Arc::new(CellValues::fitted());
    let mut moves = Vec::new();
    let mut maps = Vec::new();
    for (stones, turn) in game_positions().into_iter().step_by(20) {
        let points: Vec<Point> = stones.empty().points().step_by(5).collect();
        moves.extend(points.into_iter().map(|point| (maps.len(), turn, point)));
        maps.push(CellMap::new(&stones, Arc::clone(&values)));
    }
    for &(i, color, point) in &moves {
        maps[i].play(color, point);
        maps[i].undo();
        maps[i].check().expect("undo restores everything");
    }
    let mut mv = cycle(&moves);
    c.bench_function("cell codes, play + undo", |b| {
        b.iter(|| {
            let &(i, color, point) = mv();
            maps[i].play(color, black_box(point));
            let value = maps[i].board_value(color);
            maps[i].undo();
            value
        });
    });
    let nodes: u64 = support::data("signature.txt").trim().parse().expect("a number");
    c.bench_function("signature of the search", |b| b.iter(|| assert_eq!(signature(), nodes)));
}

/// Determinizations of Twin Cool: the pool of unseen cards put together every time, and used again.
fn hidden(c: &mut Criterion) {
    let game = TwinCool::new(Rules::FULL, KeyKind::default());
    let mut random = Random::new(1);
    let observation = GameState::deal(Rules::FULL, &mut random).observe().expect("with its piles");
    let first = game.determinize(&observation, &mut random);
    assert_eq!(first.deck().len(), 65);
    c.bench_function("determinization, pool made anew", |b| {
        b.iter(|| game.determinize(black_box(&observation), &mut random));
    });
    c.bench_function("determinization, pool used again", |b| {
        b.iter(|| game.determinize_again(&observation, black_box(&first), &mut random));
    });
}

criterion_group!(benches, scan, map, cache, vcf, vct, engine, hidden);
criterion_main!(benches);
