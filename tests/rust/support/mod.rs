//! What the Rust tests share: the data files and a small generator of boards.
#![allow(dead_code)]

use std::collections::BTreeMap;
use std::path::PathBuf;

use renju::board::Stones;
use renju::record::parse_moves;
use renju::rules::{Forbidden, Position};
use renju::types::{Bitboard, Color, Point};
use serde_json::Value;

pub fn data(name: &str) -> String {
    let path: PathBuf = [env!("CARGO_MANIFEST_DIR"), "tests", "data", name].iter().collect();
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

pub fn json_lines(name: &str) -> Vec<Value> {
    data(name).lines().map(|line| serde_json::from_str(line).expect("a JSON object per line")).collect()
}

/// "H8" or "h8".
pub fn point(name: &str) -> Point {
    let x = name.as_bytes()[0].to_ascii_uppercase() - b'A';
    let row: usize = name[1..].parse().expect("a row number");
    Point::new(x.into(), row - 1).expect("a point on the board")
}

pub fn points(list: &Value) -> Bitboard {
    list.as_array().expect("a list").iter().map(|p| point(p.as_str().expect("a name"))).collect()
}

pub fn stones(black: Bitboard, white: Bitboard) -> Stones {
    Stones::new(black, white).expect("no point has two stones")
}

/// "h8i9" without separators.
pub fn compact(text: &str) -> Bitboard {
    let starts: Vec<usize> = text.char_indices().filter(|(_, c)| c.is_alphabetic()).map(|(i, _)| i).collect();
    let ends = starts.iter().skip(1).copied().chain([text.len()]);
    starts.iter().zip(ends).map(|(&start, end)| point(&text[start..end])).collect()
}

pub fn kind(name: &str) -> Forbidden {
    match name {
        "33" | "double-three" => Forbidden::DoubleThree,
        "44" | "double-four" => Forbidden::DoubleFour,
        "ol" | "6" | "overline" => Forbidden::Overline,
        other => panic!("unknown kind {other}"),
    }
}

/// A position with all its forbidden points, from any of the data files.
pub struct Case {
    pub id: String,
    pub stones: Stones,
    pub forbidden: BTreeMap<Point, Forbidden>,
}

/// Every case of the three forbidden-move files.
pub fn forbidden_cases() -> Vec<Case> {
    let map = |value: &Value| {
        let entries = value.as_object().expect("an object").iter();
        entries.map(|(p, k)| (point(p), kind(k.as_str().expect("a kind")))).collect()
    };
    let mut cases = Vec::new();
    for (i, row) in json_lines("forbidden.jsonl").iter().enumerate() {
        cases.push(Case {
            id: format!("forbidden.jsonl:{}", i + 1),
            stones: stones(points(&row["black"]), points(&row["white"])),
            forbidden: map(&row["forbidden"]),
        });
    }
    for row in json_lines("forbidden_cases.jsonl") {
        let expect = &row["expect"];
        let all = expect.get("all_forbidden").or(expect.get("all_forbidden_ref")).expect("a complete map");
        cases.push(Case {
            id: row["id"].as_str().expect("an id").to_owned(),
            stones: stones(points(&row["black"]), points(&row["white"])),
            forbidden: map(all),
        });
    }
    for (i, line) in data("forbidden_crosscheck.csv").lines().enumerate().skip(1) {
        let fields: Vec<&str> = line.split(',').collect();
        let parse = |entry: &str| {
            let (p, k) = entry.split_once(':').expect("point:kind");
            (point(p), kind(k))
        };
        cases.push(Case {
            id: format!("forbidden_crosscheck.csv:{}", i + 1),
            stones: stones(compact(fields[0]), compact(fields[1])),
            forbidden: fields[2].split_whitespace().map(parse).collect(),
        });
    }
    cases
}

/// The side to move of a case.
pub fn side(row: &Value) -> Color {
    if row["side"] == "black" { Color::Black } else { Color::White }
}

/// The position after a record without separators.
pub fn played(record: &str) -> Position {
    let mut position = Position::default();
    position.play_all(&parse_moves(record).expect("a record")).expect("a game");
    position
}

/// The board with up to three stones moved elsewhere.
pub fn moved(mut board: Stones, random: &mut Random) -> Stones {
    for _ in 0..random.below(4) {
        let occupied: Vec<Point> = Point::all().filter(|&p| board.at(p).is_some()).collect();
        let empty: Vec<Point> = board.empty().points().collect();
        if let (Some(&from), Some(&to)) =
            (occupied.get(random.below(occupied.len().max(1))), empty.get(random.below(empty.len().max(1))))
        {
            let color = board.at(from).expect("occupied");
            board.remove(from);
            board.place(color, to);
        }
    }
    board
}

/// All positions of the bundled games, from the empty board on.
pub fn game_positions() -> Vec<(Stones, Color)> {
    let mut positions = Vec::new();
    for game in json_lines("games.jsonl") {
        let (mut stones, mut turn) = (Stones::EMPTY, Color::Black);
        positions.push((stones, turn));
        for mv in game["moves"].as_array().expect("a list") {
            stones.place(turn, point(mv.as_str().expect("a name")));
            turn = turn.opponent();
            positions.push((stones, turn));
        }
    }
    positions
}

/// The positions of quiet_positions.txt, with the side to move.
pub fn quiet_positions() -> Vec<(Stones, Color)> {
    let set = |list: &str| list.split(',').filter(|name| !name.is_empty()).map(point).collect();
    let parse = |line: &str| {
        let fields: Vec<&str> = line.split(' ').collect();
        let turn = if fields[2] == "b" { Color::Black } else { Color::White };
        (stones(set(fields[0]), set(fields[1])), turn)
    };
    data("quiet_positions.txt").lines().map(parse).collect()
}

/// A small, seeded generator (xorshift), so that a failing board can be made again.
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Random {
        Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    pub fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        ((self.0 >> 11) % n as u64) as usize
    }

    /// A crowded board: stones thrown into a window of the board, so that shapes meet.
    pub fn board(&mut self) -> Stones {
        let size = 6 + self.below(10);
        let (left, bottom) = (self.below(16 - size), self.below(16 - size));
        let black_share = 20 + self.below(60);
        let mut stones = Stones::EMPTY;
        for _ in 0..size * size * (15 + self.below(60)) / 100 {
            let p = Point::new(left + self.below(size), bottom + self.below(size)).expect("inside");
            if stones.at(p).is_none() {
                let color = if self.below(100) < black_share { Color::Black } else { Color::White };
                stones.place(color, p);
            }
        }
        stones
    }
}
