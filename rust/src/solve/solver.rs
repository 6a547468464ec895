use super::vct::{Attacks, VctOptions, VctSolver};
use super::{Limits, VcfOptions, VcfSolver, Verdict, WinKind};
use crate::board::Stones;
use crate::threats::ThreatMap;
use crate::types::{Color, Point};

/// What is asked about a position.
#[derive(Clone, Copy, Debug)]
pub struct Question {
    /// The kind of win that is looked for.
    pub kind: WinKind,
    /// Most fours of a threat, 1 to 3; counts for a VCT only.
    pub threat_limit: usize,
    /// Most stones of the attacker in any line; no limit if `None`.
    pub max_depth: Option<usize>,
    /// Fours that a VCT may end with beyond `max_depth`; not with `shortest`.
    pub end_fours: usize,
    /// Find a win with the fewest attacker stones, not just any. If a limit comes first, a VCF is unknown; of
    /// the other kinds the shortest win by then is told, with the limit. A Mise-VCF is always asked for so.
    pub shortest: bool,
    /// The first stone of the attacker, if only wins that start with it are wanted.
    pub first: Option<Point>,
    /// The nodes and the time after which the search gives up.
    pub limits: Limits,
}

impl Question {
    /// Is there a win of this kind, whatever its length?
    #[must_use]
    pub fn new(kind: WinKind) -> Question {
        let limits = Limits::default();
        Question {
            kind,
            threat_limit: 1,
            max_depth: None,
            end_fours: 0,
            shortest: false,
            first: None,
            limits,
        }
    }
}

/// Is there a VCF, whatever its length?
impl Default for Question {
    fn default() -> Question {
        Question::new(WinKind::Vcf)
    }
}

/// The solvers of all kinds behind one door. Keeps their memory from one position to the next, but nothing in
/// it.
#[derive(Clone, Default)]
pub struct Solver {
    vcf: VcfSolver,
    vct: VctSolver,
}

impl Solver {
    /// If the last question about a Mise-VCF or VCT stayed open: the first stone whose proof seemed nearest.
    #[must_use]
    pub fn promising(&self) -> Option<Point> {
        self.vct.promising()
    }

    /// Looks for a win of `attacker`, to move, with these stones; what [`Solver::solve`] does on a board of patterns.
    ///
    /// # Panics
    /// If the threat limit of a VCT is not a number from 1 to [`super::MOST_THREAT_FOURS`].
    pub fn prove(&mut self, stones: &Stones, attacker: Color, question: Question) -> Verdict {
        self.solve(&mut ThreatMap::new(stones), attacker, question, &mut || false).0
    }

    /// Looks for a win of `attacker`, to move, on the board of `map`, which is left as it was. Returns the
    /// verdict and the nodes it took. On a board where somebody has five or more already there is none.
    /// `should_stop` is asked now and then.
    ///
    /// # Panics
    /// If the threat limit of a VCT is not a number from 1 to [`super::MOST_THREAT_FOURS`].
    pub fn solve(
        &mut self,
        map: &mut ThreatMap,
        attacker: Color,
        question: Question,
        should_stop: &mut dyn FnMut() -> bool,
    ) -> (Verdict, u64) {
        let Question { kind, threat_limit, max_depth, end_fours, shortest, first, limits } = question;
        let attacks = match kind {
            WinKind::Vcf => {
                let options = VcfOptions { max_depth, shortest, first, limits, ..VcfOptions::default() };
                return self.vcf.solve(map, attacker, options, should_stop);
            }
            WinKind::MiseVcf => Attacks::Mise,
            WinKind::Vct => Attacks::Threats(threat_limit),
        };
        let shortest = shortest || kind == WinKind::MiseVcf;
        let end_fours = if shortest { 0 } else { end_fours };
        let options =
            VctOptions { max_depth, end_fours, attacks, shortest, first, limits, ..VctOptions::default() };
        self.vct.solve(map, attacker, options, should_stop)
    }
}
