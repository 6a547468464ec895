use super::reference::{Flaw, completions, extension_flaw, extensions, forbidden_kind, fours, run};
use super::{Class, Forbidden, reference};
use crate::board::Stones;
use crate::types::{Color, Direction, Point};

/// Why a point is forbidden to black, or why it is not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Explanation {
    /// The point that was asked about.
    pub point: Point,
    /// The verdict of the rules on the point.
    pub kind: Forbidden,
    /// Does a stone there make a five, which is always allowed?
    pub makes_five: bool,
    /// What a stone makes along each direction where it makes a five, an overline, fours or a three.
    pub lines: Vec<LineShape>,
}

/// What a stone makes along one direction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LineShape {
    /// The direction of the line.
    pub direction: Direction,
    /// What the stone makes on the line: a five, an overline, a kind of four, or a three in form.
    pub class: Class,
    /// The stones of the shape, the asked point included, in order along the line.
    pub stones: Vec<Point>,
    /// For fours: the cells that complete a five.
    pub completions: Vec<Point>,
    /// For threes: the cells that would make the three a straight four, and whether they may be played.
    pub extensions: Vec<Extension>,
}

impl LineShape {
    /// Is this a three that counts: can one of its extensions be played?
    #[must_use]
    pub fn is_real_three(&self) -> bool {
        self.extensions.iter().any(|extension| extension.flaw.is_none())
    }
}

/// A cell that turns a three into a straight four.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Extension {
    /// The cell that would extend the three.
    pub point: Point,
    /// Why the cell may not be played, if so.
    pub flaw: Option<ExtensionFlaw>,
}

/// Why a three cannot be extended at a cell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ExtensionFlaw {
    /// The stone makes a five at the same time.
    MakesFive,
    /// The stone is itself forbidden, for this reason.
    Forbidden(Box<Explanation>),
}

/// Explains the verdict on an empty point; `None` if it is occupied.
#[must_use]
pub fn explain(stones: &Stones, point: Point) -> Option<Explanation> {
    if stones.at(point).is_some() {
        return None;
    }
    let lines: Vec<LineShape> = Direction::ALL.iter().filter_map(|&d| line_shape(stones, point, d)).collect();
    Some(Explanation {
        point,
        kind: forbidden_kind(stones, point),
        makes_five: lines.iter().any(|line| line.class == Class::Five),
        lines,
    })
}

fn line_shape(stones: &Stones, point: Point, direction: Direction) -> Option<LineShape> {
    let class = reference::class(stones, Color::Black, point, direction);
    let played = stones.with(Color::Black, point);
    let mut shape =
        LineShape { direction, class, stones: Vec::new(), completions: Vec::new(), extensions: Vec::new() };
    match class {
        Class::Five | Class::Overline => shape.stones = run(&played, Color::Black, point, direction),
        Class::Four | Class::TwoFours | Class::OpenFour => {
            shape.stones = fours(&played, point, direction).concat();
            shape.completions = completions(&played, Color::Black, point, direction);
        }
        Class::OpenThree => {
            for extension in extensions(&played, Color::Black, point, direction) {
                let four = run(&played.with(Color::Black, extension), Color::Black, extension, direction);
                shape.stones.extend(four.into_iter().filter(|&stone| stone != extension));
                let flaw = extension_flaw(&played, extension).map(|flaw| match flaw {
                    Flaw::MakesFive => ExtensionFlaw::MakesFive,
                    Flaw::Forbidden(_) => {
                        let why = explain(&played, extension).expect("an extension is an empty cell");
                        ExtensionFlaw::Forbidden(Box::new(why))
                    }
                });
                shape.extensions.push(Extension { point: extension, flaw });
            }
        }
        _ => return None,
    }
    let along = |p: &Point| (-14..15).find(|&steps| direction.from(point, steps) == Some(*p));
    shape.stones.sort_by_key(along);
    shape.stones.dedup();
    Some(shape)
}
