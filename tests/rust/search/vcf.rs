//! VCF: known cases, every win checked by the verifier, every "no" by a plain search.

use std::collections::HashMap;

use crate::support::{
    Random, compact, game_positions, json_lines, moved, played, point, points, side, stones,
};
use renju::board::Stones;
use renju::record::parse_moves;
use renju::rules::Forbidden;
use renju::rules::reference::{forbidden_kind, makes_five};
use renju::solve::{Attack, LimitHit, Limits, Proof, Rejection, VcfOptions, VcfSolver, Verdict, verify};
use renju::threats::ThreatMap;
use renju::types::{BOARD_POINTS, Color, Direction, Point, Symmetry};

fn solve(stones: &Stones, attacker: Color, options: VcfOptions) -> Verdict {
    let (verdict, _) =
        VcfSolver::default().solve(&mut ThreatMap::new(stones), attacker, options, &mut || false);
    if let Verdict::Proved(proof) = &verdict {
        verify(stones, proof, &mut || false).unwrap_or_else(|why| panic!("{why}: {proof:?} on {stones:?}"));
    }
    verdict
}

fn within(depth: usize) -> VcfOptions {
    VcfOptions { max_depth: Some(depth), ..VcfOptions::default() }
}

fn shortest() -> VcfOptions {
    VcfOptions { shortest: true, ..VcfOptions::default() }
}

#[test]
fn known_cases_are_decided() {
    for row in json_lines("vcf_cases.jsonl") {
        let (id, expect) = (&row["id"], &row["expect"]);
        let board = stones(points(&row["black"]), points(&row["white"]));
        let depth = expect["max_depth"].as_u64().map(|depth| depth as usize);
        let options = VcfOptions { max_depth: depth, ..VcfOptions::default() };
        let is_win = expect["vcf"] == true;
        for symmetry in Symmetry::ALL {
            let image = board.transformed(symmetry);
            match solve(&image, side(&row), options) {
                Verdict::Proved(_) => assert!(is_win, "{id} {symmetry:?}: a win where none was expected"),
                Verdict::Refuted { .. } => assert!(!is_win, "{id} {symmetry:?}: no win found"),
                Verdict::Unknown(limit) => panic!("{id}: no limit was set, {limit:?} was hit"),
            }
        }
        if let Some(fewest) = expect["min_depth"].as_u64() {
            let Verdict::Proved(proof) = solve(&board, side(&row), shortest()) else { panic!("{id}") };
            assert_eq!(proof.depth() as u64, fewest, "{id}: {:?}", proof.line());
            let less = within(fewest as usize - 1);
            assert!(matches!(solve(&board, side(&row), less), Verdict::Refuted { .. }), "{id}");
        }
    }
}

#[test]
fn wins_from_games_are_found_in_the_fewest_fours() {
    for row in json_lines("vcf_wins.jsonl") {
        let record: Vec<&str> =
            row["moves"].as_array().unwrap().iter().map(|mv| mv.as_str().unwrap()).collect();
        let position = played(&record.concat());
        let Verdict::Proved(proof) = solve(position.stones(), side(&row), shortest()) else {
            panic!("{row}")
        };
        assert_eq!(proof.depth() as u64, row["fours"].as_u64().unwrap(), "{row}");
    }
}

#[test]
fn a_block_that_black_may_not_play_loses() {
    // White to move wins at once wherever black's one block is forbidden; black to move may be lost.
    let position = played("h8g6f6g5f7g4h7g3g2a1");
    for attacker in Color::ALL {
        let verdict = solve(position.stones(), attacker, VcfOptions::default());
        assert!(!matches!(verdict, Verdict::Unknown(_)));
    }
    // White F10-H10 with black blocking E10; I10 makes a four whose only block J10 is a double-three.
    let board = stones(compact("e10j8j9k11l12"), compact("f10g10h10"));
    assert_eq!(forbidden_kind(&board.with(Color::White, point("I10")), point("J10")), Forbidden::DoubleThree);
    let Verdict::Proved(proof) = solve(&board, Color::White, within(1)) else { panic!("a win was expected") };
    assert_eq!(proof.line(), [point("I10")]);
}

/// The same question with the slow rules only, all fours tried in all ways.
fn slow_vcf(stones: Stones, attacker: Color, depth: usize, known: &mut HashMap<u64, usize>) -> bool {
    let defender = attacker.opponent();
    let fives = |stones: &Stones, color| -> Vec<Point> {
        stones.empty().points().filter(|&p| makes_five(stones, color, p)).collect()
    };
    if depth == 0 {
        return false;
    }
    if !fives(&stones, attacker).is_empty() {
        return true;
    }
    let key = stones.key(attacker);
    if known.get(&key).is_some_and(|&failed| failed >= depth) {
        return false;
    }
    let counter = fives(&stones, defender);
    for stone in stones.empty().points() {
        let is_forced = counter.is_empty() || counter == [stone];
        let is_legal = attacker == Color::White || forbidden_kind(&stones, stone) == Forbidden::None;
        if !is_forced || !is_near(&stones, attacker, stone) || !is_legal {
            continue;
        }
        let played = stones.with(attacker, stone);
        let won = match fives(&played, attacker).as_slice() {
            [] => false,
            [block] => {
                (defender == Color::Black && forbidden_kind(&played, *block) != Forbidden::None)
                    || slow_vcf(played.with(defender, *block), attacker, depth - 1, known)
            }
            _ => true,
        };
        if won {
            return true;
        }
    }
    known.insert(key, depth);
    false
}

/// Three own stones within reach of a five: less cannot be a four.
fn is_near(stones: &Stones, color: Color, p: Point) -> bool {
    let close = |q: &Point| p.x().abs_diff(q.x()).max(p.y().abs_diff(q.y())) <= 4;
    stones.of(color).points().filter(close).count() >= 3
}

#[test]
fn verdicts_equal_a_plain_search() {
    let mut random = Random::new(31);
    let games = game_positions();
    let (mut won, mut lost) = (0, 0);
    for i in 0..2_500 {
        let board = if i % 2 == 0 { games[random.below(games.len())].0 } else { random.board() };
        if Color::ALL.iter().any(|&color| renju::rules::reference::has_five_or_more(&board, color)) {
            continue;
        }
        let attacker = Color::ALL[random.below(2)];
        let depth = 1 + random.below(3);
        let expected = slow_vcf(board, attacker, depth, &mut HashMap::new());
        match solve(&board, attacker, within(depth)) {
            Verdict::Proved(proof) => {
                assert!(expected, "{attacker} within {depth} on {board:?}: {:?}", proof.line());
                assert!(proof.depth() <= depth);
                won += 1;
            }
            Verdict::Refuted { .. } => {
                assert!(!expected, "{attacker} within {depth} on {board:?}");
                lost += 1;
            }
            Verdict::Unknown(limit) => panic!("{limit:?}"),
        }
    }
    assert!(won > 250 && lost > 250, "{won} {lost}");
}

/// Every win claimed on game positions with some stones moved passes the verifier, which `solve`
/// asks.
#[test]
fn no_claimed_win_is_false() {
    let wanted = 20_000;
    let mut random = Random::new(41);
    let games = game_positions();
    let mut won = 0;
    for _ in 0..wanted {
        let (board, attacker) = games[random.below(games.len())];
        let board = moved(board, &mut random);
        won += usize::from(matches!(solve(&board, attacker, VcfOptions::default()), Verdict::Proved(_)));
    }
    println!("{won} wins among {wanted} positions, all verified");
    assert!(won > wanted / 20, "{won}");
}

/// Throws lines of three into a board, some with a stone of the other colour at an end: many fours, far apart.
fn with_threes(mut board: Stones, random: &mut Random) -> Stones {
    for _ in 0..random.below(12) {
        let color = Color::ALL[random.below(2)];
        let direction = Direction::ALL[random.below(4)];
        let start = Point::from_index(random.below(BOARD_POINTS)).expect("a point");
        let gaps = [random.below(5) as isize, random.below(5) as isize];
        for step in -1..=5 {
            let Some(p) = direction.from(start, step) else { continue };
            let is_end = !(0..5).contains(&step);
            if board.at(p).is_some() {
                board.remove(p);
            }
            if is_end && random.below(3) > 0 {
                board.place(color.opponent(), p);
            } else if !is_end && !gaps.contains(&step) {
                board.place(color, p);
            }
        }
    }
    board
}

/// A search in parts from the first node on, and one that never is: leaving out any of the reasons to join parts
/// but the rarest was found within 300,000 such boards.
#[test]
fn parts_do_not_change_the_verdict() {
    let games = game_positions();
    let mut random = Random::new(43);
    let limits = Limits { nodes: Some(20_000), time: None };
    let (mut searched, mut nodes) = (0, [0, 0]);
    for _ in 0..24_000 {
        let (board, _) = games[random.below(games.len())];
        let board = with_threes(board, &mut random);
        let max_depth = (random.below(4) == 0).then(|| 1 + random.below(6));
        for attacker in Color::ALL {
            let options =
                |nodes_at_once| VcfOptions { max_depth, limits, nodes_at_once, ..VcfOptions::default() };
            let ask = |nodes_at_once| {
                VcfSolver::default().solve(
                    &mut ThreatMap::new(&board),
                    attacker,
                    options(nodes_at_once),
                    &mut || false,
                )
            };
            let [(at_once, some), (in_parts, others)] = [ask(u64::MAX), ask(0)];
            if matches!(at_once, Verdict::Unknown(_)) {
                continue;
            }
            assert_eq!(
                matches!(at_once, Verdict::Proved(_)),
                matches!(in_parts, Verdict::Proved(_)),
                "{attacker:?} within {max_depth:?} on {board:?}"
            );
            if matches!(in_parts, Verdict::Refuted { exhausted: true }) {
                let options = VcfOptions { limits, nodes_at_once: u64::MAX, ..VcfOptions::default() };
                let (deep, _) =
                    VcfSolver::default().solve(&mut ThreatMap::new(&board), attacker, options, &mut || false);
                assert!(!matches!(deep, Verdict::Proved(_)), "{attacker:?} on {board:?}");
            }
            searched += usize::from(some > 1);
            nodes = [nodes[0] + some, nodes[1] + others];
        }
    }
    assert!(searched > 2_000 && nodes[1] < nodes[0] * 2 / 3, "{searched} {nodes:?}");
}

/// Nine fours in different corners: their combinations are 770,000 positions.
#[test]
fn fours_far_apart_are_not_combined() {
    let game = &json_lines("games.jsonl")[111];
    let moves: Vec<&str> = game["moves"].as_array().unwrap().iter().map(|mv| mv.as_str().unwrap()).collect();
    let position = played(&moves[..64].concat());
    let options = VcfOptions::default();
    let (verdict, nodes) = VcfSolver::default().solve(
        &mut ThreatMap::new(position.stones()),
        position.turn(),
        options,
        &mut || false,
    );
    assert_eq!(verdict, Verdict::Refuted { exhausted: true });
    assert!(nodes < 3_000, "{nodes}");
}

#[test]
fn limits_end_in_unknown_and_never_in_no() {
    let row = &json_lines("vcf_wins.jsonl")[0];
    let record: Vec<&str> = row["moves"].as_array().unwrap().iter().map(|mv| mv.as_str().unwrap()).collect();
    let position = played(&record.concat());
    let mut solver = VcfSolver::default();
    let mut run = |nodes| {
        let options =
            VcfOptions { limits: Limits { nodes: Some(nodes), time: None }, ..VcfOptions::default() };
        solver.solve(&mut ThreatMap::new(position.stones()), side(row), options, &mut || false)
    };
    let (found, needed) = run(u64::MAX);
    assert!(matches!(found, Verdict::Proved(_)));
    for nodes in 0..needed.min(200) {
        assert_eq!(run(nodes), (Verdict::Unknown(LimitHit::Nodes), nodes));
    }
    assert_eq!(run(needed), (found, needed));
}

#[test]
fn the_verifier_rejects_what_is_no_proof() {
    let board = stones(compact("f8g8h8"), compact("e8a1"));
    let proof = |line: &str| {
        let line: Vec<Point> =
            parse_moves(line).unwrap().iter().map(|mv| Point::from_index(mv.index()).unwrap()).collect();
        Proof {
            kind: renju::solve::WinKind::Vcf,
            attacker: Color::Black,
            tree: Attack::from_line(&line).unwrap(),
            threat_limit: 1,
            limit_hit: None,
        }
    };
    let fault = |line: &str| verify(&board, &proof(line), &mut || false).unwrap_err().to_string();
    assert_eq!(fault("i8"), "after I8: no answer to J8");
    assert_eq!(fault("i8j8k8"), "after I8 J8 K8: K8 makes no four");
    assert_eq!(fault("e8"), "after no move: E8 is occupied");
    let double_three = stones(compact("f8g8h9h10"), compact("a1a3"));
    let Rejection { fault, .. } = verify(&double_three, &proof("h8"), &mut || false).unwrap_err();
    assert_eq!(fault.to_string(), "H8 is forbidden to black");
    let open = stones(compact("f8g8h8"), compact("a1"));
    assert_eq!(verify(&open, &proof("i8"), &mut || false), Ok(()));
    let race = stones(compact("f8g8h8"), compact("a1a2a3a4"));
    assert_eq!(
        verify(&race, &proof("i8"), &mut || false).unwrap_err().to_string(),
        "after I8: the defender makes five at A5"
    );
}
