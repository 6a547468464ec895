use super::Scores;
use crate::rules::{Class, Forbidden, is_real_three};
use crate::solve::{Limits, VcfOptions, VcfSolver, Verdict};
use crate::threats::{Presence, ThreatMap};
use crate::types::{Bitboard, Color, Direction, Line, Point};

/// The parts of a move's value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Term {
    /// The move makes five; nothing else counts then.
    Five,
    /// The shapes that the move makes.
    Attack,
    /// The move makes a four and a three at once.
    FourThree,
    /// The move makes threes and fours in several directions.
    MultiDirection,
    /// The move makes shapes in several directions.
    Connectivity,
    /// The four-threes that the move threatens.
    Mise,
    /// The win by fours that the move threatens.
    Fukumi,
    /// White's use of black's forbidden points.
    Trap,
    /// The shapes that the move takes from the opponent.
    Defence,
    /// The move takes threes and fours from the opponent in several directions.
    Crossing,
    /// The move takes shapes from the opponent and makes a four.
    CounterFour,
    /// The threes of a black move that end in forbidden points.
    Vulnerability,
    /// The move makes a four that leads nowhere.
    SingleFour,
    /// The move is near to the centre of the board.
    Center,
}

impl Term {
    /// All terms, in the order of reports.
    pub const ALL: [Term; 14] = [
        Term::Five,
        Term::Attack,
        Term::FourThree,
        Term::MultiDirection,
        Term::Connectivity,
        Term::Mise,
        Term::Fukumi,
        Term::Trap,
        Term::Defence,
        Term::Crossing,
        Term::CounterFour,
        Term::Vulnerability,
        Term::SingleFour,
        Term::Center,
    ];

    /// The name of the term in reports.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Term::Five => "five",
            Term::Attack => "attack",
            Term::FourThree => "four-three",
            Term::MultiDirection => "multi-direction",
            Term::Connectivity => "connectivity",
            Term::Mise => "mise",
            Term::Fukumi => "fukumi",
            Term::Trap => "forbidden-trap",
            Term::Defence => "defence",
            Term::Crossing => "crossing",
            Term::CounterFour => "counter-four",
            Term::Vulnerability => "vulnerability",
            Term::SingleFour => "single-four",
            Term::Center => "center",
        }
    }
}

/// Which of the optional terms count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Terms {
    /// Does [`Term::Mise`] count?
    pub mise: bool,
    /// Does [`Term::MultiDirection`] count?
    pub multi_direction: bool,
    /// Does [`Term::CounterFour`] count?
    pub counter_four: bool,
    /// Does [`Term::Fukumi`] count?
    pub fukumi: bool,
    /// Does [`Term::Trap`] count?
    pub trap: bool,
    /// Does [`Term::Vulnerability`] count?
    pub vulnerability: bool,
    /// How much of a four that leads nowhere is kept, in per cent; at 100 there is no penalty.
    pub single_four_keep: i32,
    /// The number of fours that the win which a fukumi threatens may have; more would take long to see.
    pub fukumi_fours: usize,
    /// The number of positions that may be looked at to see whether a stone is a fukumi.
    pub fukumi_nodes: u64,
}

impl Terms {
    /// All optional terms count.
    pub const ALL: Terms = Terms {
        mise: true,
        multi_direction: true,
        counter_four: true,
        fukumi: true,
        trap: true,
        vulnerability: true,
        single_four_keep: 0,
        fukumi_fours: 3,
        fukumi_nodes: 500,
    };
}

/// What a move is worth, term by term.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct MoveValue {
    /// Key: term; value: its share of what the move is worth, in points of score.
    terms: [i32; Term::ALL.len()],
}

impl MoveValue {
    /// The share of one term.
    #[must_use]
    pub fn get(&self, term: Term) -> i32 {
        self.terms[term as usize]
    }

    /// The sum of all terms: what the move is worth, in points of score.
    #[must_use]
    pub fn total(&self) -> i32 {
        self.terms.iter().sum()
    }

    fn add(&mut self, term: Term, value: i32) {
        self.terms[term as usize] += value;
    }
}

/// What a legal stone on an empty point is worth.
pub fn move_value(
    map: &mut ThreatMap,
    color: Color,
    point: Point,
    scores: &Scores,
    terms: Terms,
    vcf: &mut VcfSolver,
) -> MoveValue {
    let mut value = MoveValue::default();
    let own = Made::of(map, color, point);
    if own.classes.contains(&Class::Five) {
        value.add(Term::Five, scores.five);
        return value;
    }
    value.add(Term::Attack, own.sum(scores, |_| 100));
    if own.fours() > 0 && own.threes() > 0 {
        value.add(Term::FourThree, scores.four_three);
    }
    let directions = own.classes.iter().filter(|&&class| class != Class::None).count() as i32;
    if directions >= 2 {
        value.add(Term::Connectivity, directions * scores.connectivity);
    }
    if terms.multi_direction {
        value.add(Term::MultiDirection, (own.threats() - 1).max(0) * scores.multi_direction);
    }
    value.add(Term::Center, scores.center * (7 - point.distance(Point::CENTER) as i32) / 7);
    if terms.single_four_keep < 100 && own.is_single_four() {
        value.add(Term::SingleFour, -scores.single_four * (100 - terms.single_four_keep) / 100);
    }

    let other = color.opponent();
    if map.is_legal(other, point) {
        let taken = Made::of(map, other, point);
        let defence = taken.sum(scores, |class| scores.defence_percent(class));
        value.add(Term::Defence, defence);
        value.add(Term::Crossing, (taken.threats() - 1).max(0) * scores.defence_crossing);
        if terms.counter_four && own.fours() > 0 {
            value.add(Term::CounterFour, defence * (scores.counter_four_percent - 100) / 100);
        }
    }

    let before = if terms.mise { four_threes(map, color) } else { Bitboard::EMPTY };
    map.play(color, point);
    if terms.mise {
        value.add(
            Term::Mise,
            match (four_threes(map, color) - before).len() {
                0 => 0,
                1 => scores.mise,
                _ => scores.double_mise,
            },
        );
    }
    if terms.fukumi && own.threats() == 0 && threatens_fours(map, color, terms, vcf) {
        value.add(Term::Fukumi, scores.fukumi);
    }
    if terms.trap && color == Color::White {
        value.add(Term::Trap, trap(map, point, &own, scores));
    }
    if terms.vulnerability && color == Color::Black {
        value.add(Term::Vulnerability, -vulnerability(map, point, &own, scores));
    }
    map.undo();
    value
}

/// What a stone makes in all directions; a black three that is not real is a closed one.
struct Made {
    classes: [Class; 4],
}

impl Made {
    fn of(map: &ThreatMap, color: Color, point: Point) -> Made {
        let classes = Direction::ALL.map(|direction| match map.class(color, point, direction) {
            Class::OpenThree if color == Color::Black && !is_real_three(map, point, direction) => {
                Class::ClosedThree
            }
            class => class,
        });
        Made { classes }
    }

    fn sum(&self, scores: &Scores, percent: impl Fn(Class) -> i32) -> i32 {
        let worth = |(direction, &class): (Direction, &Class)| {
            let is_diagonal = matches!(direction, Direction::NorthEast | Direction::NorthWest);
            let diagonal = if is_diagonal { scores.diagonal_percent } else { 100 };
            // Per cent of per cent: no product exceeds 32 bits.
            scores.shape(class) * diagonal / 100 * percent(class) / 100
        };
        Direction::ALL.into_iter().zip(&self.classes).map(worth).sum()
    }

    fn fours(&self) -> usize {
        self.classes.iter().map(|class| class.fours()).sum()
    }

    fn threes(&self) -> usize {
        self.classes.iter().filter(|&&class| class == Class::OpenThree).count()
    }

    /// Directions with a three or four.
    fn threats(&self) -> i32 {
        self.classes.iter().filter(|class| class.fours() > 0 || **class == Class::OpenThree).count() as i32
    }

    /// One four with one completion, and nothing in the other directions that another stone could turn
    /// into a four or a three.
    fn is_single_four(&self) -> bool {
        let leads_on = |class: &&Class| !matches!(class, Class::None | Class::ClosedTwo | Class::Overline);
        self.classes.contains(&Class::Four) && self.classes.iter().filter(leads_on).count() == 1
    }
}

/// The legal cells that make a four and a three at once; black's threes are real ones.
#[must_use]
pub fn four_threes(map: &ThreatMap, color: Color) -> Bitboard {
    let both = map.cells_with(color, Presence::Four) & map.cells_with(color, Presence::OpenThree);
    both.points().filter(|&p| map.is_legal(color, p) && Made::of(map, color, p).threes() > 0).collect()
}

/// Would this colour win by a few fours if it could move again?
fn threatens_fours(map: &mut ThreatMap, color: Color, terms: Terms, vcf: &mut VcfSolver) -> bool {
    let limits = Limits { nodes: Some(terms.fukumi_nodes), time: None };
    let options = VcfOptions { max_depth: Some(terms.fukumi_fours), limits, ..VcfOptions::default() };
    matches!(vcf.solve(map, color, options, &mut || false).0, Verdict::Proved(_))
}

/// What black's forbidden points add to a white stone that has been played.
fn trap(map: &ThreatMap, point: Point, own: &Made, scores: &Scores) -> i32 {
    let is_forbidden = |p: &Point| map.forbidden_kind(*p) != Forbidden::None;
    let completions = map.fives(Color::White);
    if completions.len() == 1 && completions.points().all(|block| is_forbidden(&block)) {
        return scores.trap_strong;
    }
    let mut best = 0;
    for direction in Direction::ALL {
        if own.classes[direction as usize] == Class::OpenThree {
            let straight = straight_fours(map, Color::White, point, direction);
            let barred = straight.iter().filter(|p| is_forbidden(p)).count();
            best = best.max(match (straight.len(), barred) {
                (_, 0) => 0,
                (2, 1) => scores.trap_three,
                _ => scores.trap_setup,
            });
        }
    }
    best
}

/// What forbidden points take from a black stone that has been played and makes a three.
fn vulnerability(map: &ThreatMap, point: Point, own: &Made, scores: &Scores) -> i32 {
    let mut sum = 0;
    for direction in Direction::ALL {
        if matches!(own.classes[direction as usize], Class::OpenThree | Class::ClosedThree) {
            for extension in straight_fours(map, Color::Black, point, direction) {
                if map.forbidden_kind(extension) != Forbidden::None {
                    let attacks = |&d: &Direction| {
                        matches!(
                            map.class(Color::White, extension, d),
                            Class::ClosedThree
                                | Class::OpenThree
                                | Class::Four
                                | Class::TwoFours
                                | Class::OpenFour
                        )
                    };
                    sum += if Direction::ALL.iter().any(attacks) {
                        scores.vulnerability_strong
                    } else {
                        scores.vulnerability_weak
                    };
                }
            }
        }
    }
    sum.min(scores.vulnerability_most)
}

/// The cells on a line, within reach of a stone, where another makes a straight four.
fn straight_fours(map: &ThreatMap, color: Color, point: Point, direction: Direction) -> Vec<Point> {
    let line = Line::through(point)[direction as usize].line;
    let makes_one = |&p: &Point| p.distance(point) <= 3 && map.class(color, p, direction) == Class::OpenFour;
    line.points().filter(|&p| map.stones().at(p).is_none()).filter(makes_one).collect()
}
