//! VCT and Mise-VCF: known cases, every win checked by the verifier, every "no" by a plain search.

use std::collections::HashMap;

use crate::support::{
    Random, compact, game_positions, json_lines, moved, played, point, points, side, stones,
};
use renju::board::Stones;
use renju::rules::reference::has_five_or_more;
use renju::rules::{Class, Forbidden, is_real_three};
use renju::solve::{
    Attacks, LimitHit, Limits, VcfOptions, VcfSolver, VctOptions, VctSolver, Verdict, verify,
};
use renju::threats::{Presence, ThreatMap};
use renju::types::{Color, Direction, Point, Symmetry, WideKey};
use serde_json::Value;

/// Far more than any case here needs.
const MOST_NODES: u64 = 50_000_000;

fn solve_with(solver: &mut VctSolver, stones: &Stones, attacker: Color, options: VctOptions) -> Verdict {
    let limits = Limits { nodes: options.limits.nodes.or(Some(MOST_NODES)), time: None };
    let (verdict, _) =
        solver.solve(&mut ThreatMap::new(stones), attacker, VctOptions { limits, ..options }, &mut || false);
    if let Verdict::Proved(proof) = &verdict {
        verify(stones, proof, &mut || false).unwrap_or_else(|why| panic!("{why}: {proof:?} on {stones:?}"));
        assert!(options.max_depth.is_none_or(|depth| proof.depth() <= depth));
        assert!(options.first.is_none_or(|first| proof.line()[0] == first));
        assert_eq!(proof.line().len(), 2 * proof.depth() - 1, "{proof:?}");
    }
    verdict
}

fn solve(stones: &Stones, attacker: Color, options: VctOptions) -> Verdict {
    solve_with(&mut VctSolver::default(), stones, attacker, options)
}

fn threats(limit: usize, max_depth: Option<usize>) -> VctOptions {
    VctOptions { attacks: Attacks::Threats(limit), max_depth, ..VctOptions::default() }
}

fn mise(first: Option<Point>) -> VctOptions {
    VctOptions { attacks: Attacks::Mise, shortest: true, first, ..VctOptions::default() }
}

fn is_proved(verdict: &Verdict, what: &Value) -> bool {
    match verdict {
        Verdict::Proved(_) => true,
        Verdict::Refuted { .. } => false,
        Verdict::Unknown(limit) => panic!("{what}: {limit:?} was hit"),
    }
}

fn number(value: &Value) -> Option<usize> {
    value.as_u64().map(|number| number as usize)
}

#[test]
fn known_cases_are_decided() {
    let mut random = Random::new(7);
    for row in json_lines("vct_cases.jsonl") {
        let expect = &row["expect"];
        let board = stones(points(&row["black"]), points(&row["white"]));
        let options = threats(number(&expect["threat_limit"]).unwrap(), number(&expect["max_depth"]));
        // Any of the eight images: the order of moves differs, the verdict does not.
        let symmetry = Symmetry::ALL[random.below(8)];
        let verdict = solve(&board.transformed(symmetry), side(&row), options);
        assert_eq!(is_proved(&verdict, &row["id"]), expect["vct"] == true, "{} {symmetry:?}", row["id"]);
    }
}

/// The verdicts of the project these cases come from, but for two.
#[test]
fn seed_cases_are_decided() {
    for row in json_lines("vct_seed_cases.jsonl") {
        let (id, expect) = (&row["id"], &row["expect"]);
        let board = stones(points(&row["black"]), points(&row["white"]));
        let first = expect["vct_first"].as_object().map(|firsts| firsts.iter().next().unwrap());
        let is_claimed = first.map_or(&expect["vct"], |(_, is_win)| is_win) == true;
        let options = VctOptions {
            first: first.map(|(name, _)| point(name)),
            ..threats(3, number(&row["limits"]["max_depth"]))
        };
        let is_won = is_proved(&solve(&board, side(&row), options), id);
        match id.as_str().unwrap() {
            // Ten black stones in a row: the game was over long ago.
            "vct-008" => assert!(is_claimed && !is_won),
            // No win even with twice the depth.
            "vct-053" => {
                assert!(is_claimed && !is_won);
                assert!(!is_proved(&solve(&board, side(&row), threats(3, Some(12))), id));
            }
            _ => assert_eq!(is_won, is_claimed, "{id}"),
        }
    }
}

/// White is said to win by E13 F12 K9 J9 E7 D6 E9 H6 D8 H12 C8. It does not.
#[test]
fn the_claimed_win_after_move_17_is_none() {
    let board = *played("h8i9i7g9h7h9f9g8f7g7g6h10g10f8i11g11j8").stones();
    for limit in 1..=3 {
        let verdict = solve(&board, Color::White, threats(limit, Some(12)));
        assert!(matches!(verdict, Verdict::Refuted { .. }), "{limit}");
    }
}

#[test]
fn mise_cases_are_decided() {
    for row in json_lines("mise_vcf_cases.jsonl") {
        let (id, expect) = (&row["id"], &row["expect"]);
        let board = stones(points(&row["black"]), points(&row["white"]));
        let verdict = solve(&board, side(&row), mise(None));
        if let Some(is_win) = expect["mise_vcf"].as_bool() {
            assert_eq!(is_proved(&verdict, id), is_win, "{id}");
        }
        for first in expect["first"].as_array().unwrap_or(&Vec::new()) {
            let Verdict::Proved(proof) = &verdict else { panic!("{id}") };
            assert_eq!(proof.line()[0], point(first.as_str().unwrap()), "{id}");
        }
        for first in expect["not_first"].as_array().unwrap_or(&Vec::new()) {
            let first = point(first.as_str().unwrap());
            assert!(!is_proved(&solve(&board, side(&row), mise(Some(first))), id), "{id}");
        }
    }
    // Game 185: H7 makes a three, but H6 stops it with a counter-three.
    let board = *played("h8i9g7i7g8i6i8j8g9g10f8e8h10i11").stones();
    let verdict = solve(&board, Color::Black, mise(Some(point("H7"))));
    assert_eq!(verdict, Verdict::Refuted { exhausted: true });
    // Game 121: K13 forces nothing.
    let board = *played(
        "h8i7f10k9j8h6i8g8h9g10i9h10g9f9j10g7h7j9g12f8e9h11e8e11f11i5j4i14e10d9i12h12e7e6k5j12l9h14h13k11i13",
    )
    .stones();
    assert_eq!(solve(&board, Color::White, mise(Some(point("K13")))), Verdict::Refuted { exhausted: true });
}

/// The spite four E9 must be exchanged, and then G7 still wins.
#[test]
fn a_spite_four_is_exchanged() {
    let board = *played("h8i9i7g9j8h10h6k9h7h9j9i10").stones();
    let Verdict::Proved(proof) = solve(&board, Color::Black, mise(Some(point("G7")))) else { panic!() };
    let spite = proof.tree.replies.iter().find(|(reply, _)| *reply == point("E9")).map(|(_, next)| next);
    let answer = spite.expect("E9 makes a four");
    assert!(
        answer.after_pass.is_some() && !answer.replies.is_empty(),
        "after the exchange white moves again"
    );
}

/// What a plain search has found out, and the replies that refuted something at a depth.
#[derive(Default)]
struct Known {
    verdicts: HashMap<(WideKey, usize), bool>,
    killers: [Vec<Point>; 4],
}

/// Every legal stone, every reply, no zone: is there a VCT with threats of one four?
fn plain_vct(map: &mut ThreatMap, attacker: Color, depth: usize, known: &mut Known) -> bool {
    if depth == 0 {
        return false;
    }
    let (defender, fives) = (attacker.opponent(), map.fives(attacker));
    if !fives.is_empty() {
        return true;
    }
    if depth == 1 {
        // The last stone must win as it is.
        let forced = map.fives(defender);
        return forced.is_empty() && wins_with_one_four(map, attacker)
            || forced.len() == 1 && wins_on(map, attacker, forced.points().next().unwrap());
    }
    let key = (map.stones_key(), depth);
    if let Some(&wins) = known.verdicts.get(&key) {
        return wins;
    }
    let empty = map.stones().empty();
    let wins = empty.points().any(|stone| {
        if !is_legal(map, attacker, stone) {
            return false;
        }
        map.play(attacker, stone);
        let completions = map.fives(attacker);
        let wins = match completions.points().next() {
            _ if !map.fives(defender).is_empty() => false,
            Some(block) if completions.len() > 1 || !is_legal(map, defender, block) => true,
            Some(block) => {
                map.play(defender, block);
                let wins = plain_vct(map, attacker, depth - 1, known);
                map.undo();
                wins
            }
            None => wins_with_one_four(map, attacker) && !is_refuted(map, attacker, depth - 1, known),
        };
        map.undo();
        wins
    });
    known.verdicts.insert(key, wins);
    wins
}

/// Has the defender a reply that leaves no win? Replies that refuted others come first.
fn is_refuted(map: &mut ThreatMap, attacker: Color, depth: usize, known: &mut Known) -> bool {
    let defender = attacker.opponent();
    let empty = map.stones().empty();
    let first: Vec<Point> = known.killers[depth].iter().copied().filter(|&p| empty.contains(p)).collect();
    let rest = empty.points().filter(|p| !first.contains(p));
    for reply in first.clone().into_iter().chain(rest) {
        if !is_legal(map, defender, reply) {
            continue;
        }
        map.play(defender, reply);
        let wins = plain_vct(map, attacker, depth, known);
        map.undo();
        if !wins {
            known.killers[depth].retain(|&p| p != reply);
            known.killers[depth].insert(0, reply);
            return true;
        }
    }
    false
}

fn wins_with_one_four(map: &mut ThreatMap, attacker: Color) -> bool {
    map.fives(attacker.opponent()).is_empty()
        && map.cells_with(attacker, Presence::Four).points().any(|stone| wins_on(map, attacker, stone))
}

/// Does a stone win as it is: two completions, or one that black may not block?
fn wins_on(map: &mut ThreatMap, attacker: Color, stone: Point) -> bool {
    let defender = attacker.opponent();
    if !is_legal(map, attacker, stone) {
        return false;
    }
    map.play(attacker, stone);
    let completions = map.fives(attacker);
    let block = completions.points().next();
    let wins = map.fives(defender).is_empty()
        && block.is_some_and(|block| completions.len() > 1 || !is_legal(map, defender, block));
    map.undo();
    wins
}

fn is_legal(map: &ThreatMap, color: Color, point: Point) -> bool {
    color == Color::White || map.forbidden_kind(point) == Forbidden::None
}

/// Positions to compare on: from games, half of them near a VCT, most with stones moved, and some
/// random crowded ones; few of them with a VCF.
fn positions(seed: u64, wanted: usize) -> Vec<(Stones, Color)> {
    let mut random = Random::new(seed);
    let (mut vcf, mut vct) = (VcfSolver::default(), VctSolver::default());
    let games = game_positions();
    let is_near_win = |vct: &mut VctSolver, board: &Stones, attacker| {
        let limits = Limits { nodes: Some(300), time: None };
        let (verdict, _) = vct.solve(
            &mut ThreatMap::new(board),
            attacker,
            VctOptions { limits, ..threats(1, Some(5)) },
            &mut || false,
        );
        matches!(verdict, Verdict::Proved(_))
    };
    let mut found = Vec::new();
    while found.len() < wanted {
        let (mut board, mut attacker) = games[random.below(games.len())];
        match found.len() % 8 {
            0 => (board, attacker) = (random.board(), Color::ALL[random.below(2)]),
            1 => {}
            2 | 3 => board = moved(board, &mut random),
            _ if has_vcf(&board, attacker, &mut vcf) || !is_near_win(&mut vct, &board, attacker) => continue,
            _ => board = moved(board, &mut random),
        }
        let is_over = Color::ALL.iter().any(|&color| has_five_or_more(&board, color));
        // Crowded boards have too many fours for a plain search.
        let limits = Limits { nodes: Some(5_000), time: None };
        let (by_fours, _) = vcf.solve(
            &mut ThreatMap::new(&board),
            attacker,
            VcfOptions { limits, ..VcfOptions::default() },
            &mut || false,
        );
        let is_wanted = match by_fours {
            Verdict::Proved(_) => found.len() % 16 == 1,
            Verdict::Refuted { .. } => true,
            Verdict::Unknown(_) => false,
        };
        if !is_over && is_wanted {
            found.push((board, attacker));
        }
    }
    found
}

#[test]
fn vct_equals_a_plain_search() {
    let mut solver = VctSolver::default();
    let (mut won, mut by_threats) = (0, 0);
    for (i, (board, attacker)) in positions(51, 600).into_iter().enumerate() {
        let depth = if i % 4 == 0 { 2 } else { 3 };
        let expected = plain_vct(&mut ThreatMap::new(&board), attacker, depth, &mut Known::default());
        let verdict = solve_with(&mut solver, &board, attacker, threats(1, Some(depth)));
        let is_won = matches!(verdict, Verdict::Proved(_));
        assert_eq!(is_won, expected, "{attacker} within {depth} on {board:?}: {verdict:?}");
        won += usize::from(is_won);
        if let Verdict::Proved(proof) = verdict {
            by_threats += usize::from(proof.tree.after_pass.is_some());
        }
    }
    println!("{won} wins, {by_threats} of them begin with a threat");
    assert!(by_threats > 20, "{won} {by_threats}");
}

/// Does some stone make a three or a four, threaten a four-three, and win by fours against every
/// reply, spite fours exchanged?
fn plain_mise(map: &mut ThreatMap, attacker: Color, vcf: &mut VcfSolver, known: &mut Known) -> bool {
    map.stones().empty().points().any(|stone| {
        let makes = |map: &ThreatMap, p: Point, wanted: fn(Class) -> bool| {
            Direction::ALL.into_iter().any(|d| {
                let class = map.class(attacker, p, d);
                let is_fake =
                    class == Class::OpenThree && attacker == Color::Black && !is_real_three(map, p, d);
                wanted(class) && !is_fake
            })
        };
        let is_four = |class: Class| class.fours() > 0;
        let is_three = |class: Class| class == Class::OpenThree;
        let is_five = map.fives(attacker).contains(stone);
        let is_forcing = makes(map, stone, is_four) || makes(map, stone, is_three);
        if is_five || !is_forcing || !is_legal(map, attacker, stone) {
            return false;
        }
        map.play(attacker, stone);
        let quiet = map.stones().empty() - map.fives(attacker);
        let is_mise = quiet
            .points()
            .any(|p| makes(map, p, is_four) && makes(map, p, is_three) && is_legal(map, attacker, p));
        let wins = is_mise && plain_mise_holds(map, attacker, vcf, known);
        map.undo();
        wins
    })
}

/// The defender is to move: does the attacker win by fours against everything?
fn plain_mise_holds(map: &mut ThreatMap, attacker: Color, vcf: &mut VcfSolver, known: &mut Known) -> bool {
    let defender = attacker.opponent();
    if !map.fives(defender).is_empty() {
        return false;
    }
    let completions = map.fives(attacker);
    if completions.len() > 1 {
        return true;
    }
    if completions.is_empty() && !has_vcf(map.stones(), attacker, vcf) {
        return false;
    }
    let replies = if completions.is_empty() { map.stones().empty() } else { completions };
    let key = (map.stones_key(), 0);
    if let Some(&holds) = known.verdicts.get(&key) {
        return holds;
    }
    let killers = known.killers[0].iter().copied().filter(|&p| replies.contains(p));
    let replies: Vec<Point> =
        killers.chain(replies.points()).filter(|&p| is_legal(map, defender, p)).collect();
    let refuting = replies.into_iter().find(|&reply| {
        map.play(defender, reply);
        let counter = map.fives(defender);
        let wins = has_vcf(map.stones(), attacker, vcf)
            || counter.points().next().is_some_and(|block| {
                counter.len() == 1 && is_legal(map, attacker, block) && {
                    map.play(attacker, block);
                    let wins = plain_mise_holds(map, attacker, vcf, known);
                    map.undo();
                    wins
                }
            });
        map.undo();
        !wins
    });
    known.killers[0].extend(refuting.filter(|reply| !known.killers[0].contains(reply)));
    known.verdicts.insert(key, refuting.is_none());
    refuting.is_none()
}

fn has_vcf(stones: &Stones, attacker: Color, vcf: &mut VcfSolver) -> bool {
    let (verdict, _) = vcf.solve(&mut ThreatMap::new(stones), attacker, VcfOptions::default(), &mut || false);
    matches!(verdict, Verdict::Proved(_))
}

#[test]
fn mise_vcf_equals_a_plain_search() {
    let (mut solver, mut vcf) = (VctSolver::default(), VcfSolver::default());
    let (mut won, mut without_vcf) = (0, 0);
    for (board, attacker) in positions(61, 1_500) {
        let mut map = ThreatMap::new(&board);
        let expected = plain_mise(&mut map, attacker, &mut vcf, &mut Known::default());
        let verdict = solve_with(&mut solver, &board, attacker, mise(None));
        let is_won = matches!(verdict, Verdict::Proved(_));
        assert_eq!(is_won, expected, "{attacker} on {board:?}: {verdict:?}");
        won += usize::from(is_won);
        without_vcf += usize::from(is_won && !has_vcf(&board, attacker, &mut vcf));
    }
    println!("{won} wins, {without_vcf} of them without a VCF");
    assert!(without_vcf > 25, "{won} {without_vcf}");
}

/// Every win claimed on game positions, half of them with some stones moved, passes the verifier,
/// which `solve_with` asks.
#[test]
fn no_claimed_win_is_false() {
    let wanted = 8_000;
    let mut random = Random::new(71);
    let mut solver = VctSolver::default();
    let games = game_positions();
    let mut won = [0; 4];
    for i in 0..wanted {
        let (mut board, attacker) = games[random.below(games.len())];
        if i % 2 == 0 {
            board = moved(board, &mut random);
        }
        let limits = Limits { nodes: Some(2_000), time: None };
        let mut count = |kind: usize, options: VctOptions| {
            let verdict = solve_with(&mut solver, &board, attacker, VctOptions { limits, ..options });
            won[kind] += usize::from(matches!(verdict, Verdict::Proved(_)));
        };
        count(0, mise(None));
        count(1 + i % 3, threats(1 + i % 3, None));
    }
    println!("{won:?} wins among {wanted} positions, all verified");
    assert!(won.iter().all(|&won| won > wanted / 50), "{won:?}");
}

#[test]
fn limits_end_in_unknown_and_never_in_no() {
    let row = &json_lines("vct_cases.jsonl")[3];
    let board = stones(points(&row["black"]), points(&row["white"]));
    let mut solver = VctSolver::default();
    let mut run = |nodes| {
        let limits = Limits { nodes: Some(nodes), time: None };
        solver.solve(
            &mut ThreatMap::new(&board),
            side(row),
            VctOptions { limits, ..threats(1, Some(4)) },
            &mut || false,
        )
    };
    let (found, needed) = run(u64::MAX);
    assert!(matches!(found, Verdict::Proved(_)));
    for nodes in 0..needed {
        assert_eq!(run(nodes), (Verdict::Unknown(LimitHit::Nodes), nodes));
    }
    assert_eq!(run(needed), (found, needed));
}

#[test]
fn the_shortest_win_has_no_shorter_one() {
    let mut compared = 0;
    for row in json_lines("vct_cases.jsonl") {
        let limit = number(&row["expect"]["threat_limit"]).unwrap();
        let depth = number(&row["expect"]["max_depth"]).unwrap();
        if row["expect"]["vct"] != true || depth > 8 {
            continue;
        }
        let board = stones(points(&row["black"]), points(&row["white"]));
        let options = VctOptions { shortest: true, ..threats(limit, None) };
        let Verdict::Proved(proof) = solve(&board, side(&row), options) else { panic!("{row}") };
        assert!(proof.depth() <= depth, "{row}");
        let verdict = solve(&board, side(&row), threats(limit, Some(proof.depth() - 1)));
        assert!(matches!(verdict, Verdict::Refuted { exhausted: false }), "{row}");
        compared += 1;
    }
    assert!(compared > 15);
}

/// A thirtieth of the usual memory: positions are given up and found again, verdicts stay.
#[test]
fn little_memory_changes_no_verdict() {
    let mut searched = 0;
    let mut used = VctSolver::default();
    for row in json_lines("vct_cases.jsonl") {
        let (limit, depth) =
            (number(&row["expect"]["threat_limit"]).unwrap(), number(&row["expect"]["max_depth"]).unwrap());
        if limit > 2 {
            continue;
        }
        let board = stones(points(&row["black"]), points(&row["white"]));
        // Enough for memory to run short many times over.
        let limits = Limits { nodes: Some(300_000), time: None };
        let options = VctOptions { memory: 2_000_000, limits, ..threats(limit, Some(depth)) };
        let (verdict, nodes) =
            VctSolver::default().solve(&mut ThreatMap::new(&board), side(&row), options, &mut || false);
        // What a solver did before has no part in the answer; the longest searches need not show it, too.
        if nodes < 30_000 {
            let again = used.solve(&mut ThreatMap::new(&board), side(&row), options, &mut || false);
            assert_eq!(again, (verdict.clone(), nodes), "{}", row["id"]);
        }
        match verdict {
            Verdict::Proved(_) => assert_eq!(row["expect"]["vct"], true, "{}", row["id"]),
            Verdict::Refuted { .. } => assert_eq!(row["expect"]["vct"], false, "{}", row["id"]),
            Verdict::Unknown(limit) => {
                assert!(matches!(limit, LimitHit::Memory | LimitHit::Nodes), "{}", row["id"])
            }
        }
        searched += usize::from(nodes > 100_000 && !matches!(verdict, Verdict::Unknown(_)));
    }
    assert!(searched > 3, "{searched} cases that need more");
    // Proofs alone fill this.
    let row = &json_lines("vct_cases.jsonl")[0];
    let board = stones(points(&row["black"]), points(&row["white"]));
    let options = VctOptions { memory: 1 << 15, ..threats(2, Some(14)) };
    let (verdict, _) =
        VctSolver::default().solve(&mut ThreatMap::new(&board), side(row), options, &mut || false);
    assert_eq!(verdict, Verdict::Unknown(LimitHit::Memory));
}

/// A win whose tree is larger than asked for is unknown, and neither a "no" nor half a proof.
#[test]
fn a_tree_that_is_too_large_is_told() {
    let row = &json_lines("vct_cases.jsonl")[3];
    let board = stones(points(&row["black"]), points(&row["white"]));
    let mut outcomes = Vec::new();
    for tree_stones in 0..60 {
        let options = VctOptions { tree_stones, ..threats(1, Some(4)) };
        match solve(&board, side(row), options) {
            Verdict::Proved(proof) => outcomes.push(Some(proof)),
            Verdict::Unknown(LimitHit::Tree) => outcomes.push(None),
            other => panic!("{other:?}"),
        }
    }
    let first = outcomes.iter().position(Option::is_some).expect("a tree of a few stones");
    assert!(first > 5, "{first}");
    assert!(outcomes[first..].iter().all(|proof| *proof == outcomes[first]));
}

#[test]
fn every_start_is_asked_by_itself() {
    // White's double-threes.
    let board = stones(compact("a1c4g2n1"), compact("h8i8k9k10"));
    let mut starts = Vec::new();
    for first in board.empty().points() {
        let options = VctOptions { first: Some(first), ..threats(1, Some(2)) };
        if is_proved(&solve(&board, Color::White, options), &Value::Null) {
            starts.push(first);
        }
    }
    let mut map = ThreatMap::new(&board);
    for first in board.empty().points() {
        map.play(Color::White, first);
        let holds = wins_with_one_four(&mut map, Color::White)
            && !is_refuted(&mut map, Color::White, 1, &mut Known::default());
        map.undo();
        assert_eq!(holds, starts.contains(&first), "{first}");
    }
    assert!(!starts.is_empty());
}
