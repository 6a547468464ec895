use super::LimitHit;
use crate::types::{BOARD_POINTS, Color, Point};

/// Attacks in a row of a tree that is read from outside: more than a game can have.
pub const MOST_DEPTH: usize = BOARD_POINTS;

/// Attacks of a tree that is read from outside, several times as many as a solver tells.
pub const MOST_ATTACKS: usize = 1 << 20;

/// The kinds of forced wins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WinKind {
    /// 四追い: every attacker stone makes a four.
    Vcf,
    /// ミセ手四追い: a three or four that threatens a four-three, and a VCF against every reply.
    MiseVcf,
    /// 追い詰め: every attacker stone makes a four or threatens to win by fours.
    Vct,
}

impl WinKind {
    /// All kinds of forced wins, the simplest first.
    pub const ALL: [WinKind; 3] = [WinKind::Vcf, WinKind::MiseVcf, WinKind::Vct];

    /// The name used in files and in Python.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            WinKind::Vcf => "vcf",
            WinKind::MiseVcf => "mise-vcf",
            WinKind::Vct => "vct",
        }
    }

    /// The kind with this name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<WinKind> {
        WinKind::ALL.into_iter().find(|kind| kind.name() == name)
    }
}

/// A forced win: what the attacker plays against everything.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proof {
    /// The kind of forced win.
    pub kind: WinKind,
    /// The colour that wins.
    pub attacker: Color,
    /// Most fours of a threat; counts for a VCT only.
    pub threat_limit: usize,
    /// The first stone of the attacker and all that follows.
    pub tree: Attack,
    /// The shortest win was asked for, and this limit came before shorter ones were excluded.
    pub limit_hit: Option<LimitHit>,
}

/// A stone of the attacker, and its next one against every reply that needs an answer.
///
/// A stone with two completions, or whose block is forbidden, wins as it is and has no replies.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attack {
    /// The point where the attacker plays.
    pub stone: Point,
    /// For a stone that makes no four: how the attacker wins by fours if the defender passes, and
    /// against every reply that has no answer of its own.
    pub after_pass: Option<Box<Attack>>,
    /// The answers to replies, each with what follows.
    pub replies: Vec<(Point, Attack)>,
}

impl Attack {
    /// A stone that wins as it is.
    #[must_use]
    pub fn last(stone: Point) -> Attack {
        Attack { stone, after_pass: None, replies: Vec::new() }
    }

    /// Attacker stones in the longest line, this one included.
    #[must_use]
    pub fn depth(&self) -> usize {
        let answers = self.replies.iter().map(|(_, next)| next.depth());
        1 + answers.chain(self.after_pass.iter().map(|next| next.depth())).max().unwrap_or(0)
    }

    /// The line of attacker stones and forced replies, first stone first; `None` if it does not end with a
    /// stone of the attacker.
    #[must_use]
    pub fn from_line(line: &[Point]) -> Option<Attack> {
        let (pairs, last) = line.as_chunks::<2>();
        let &[last] = last else { return None };
        let before = |next, &[stone, reply]: &[Point; 2]| Attack {
            stone,
            after_pass: None,
            replies: vec![(reply, next)],
        };
        Some(pairs.iter().rev().fold(Attack::last(last), before))
    }
}

impl Proof {
    /// The main line: against each stone the reply that resists longest.
    #[must_use]
    pub fn line(&self) -> Vec<Point> {
        let mut line = vec![self.tree.stone];
        let mut attack = &self.tree;
        while let Some((reply, next)) = longest_reply(attack) {
            line.extend([*reply, next.stone]);
            attack = next;
        }
        line
    }

    /// Attacker stones up to the one that can no longer be stopped, in the longest line, whatever the
    /// replies.
    #[must_use]
    pub fn depth(&self) -> usize {
        self.tree.depth()
    }
}

fn longest_reply(attack: &Attack) -> Option<&(Point, Attack)> {
    // The first of equals, so that the line is the same everywhere.
    attack.replies.iter().rev().max_by_key(|(_, next)| next.depth())
}
