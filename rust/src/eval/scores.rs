use crate::rules::Class;
use crate::types::setting::settings;

/// When the value of boards comes from the scores, or moves are ordered by their full value.
const COUNTED: &str = "not fitted or order_deep or order_middle or order_shallow";

/// When moves are ordered by their full value.
const ORDERS: &str = "order_deep or order_middle or order_shallow";

/// Boards are valued by the scores, not by the fitted table.
const VALUED: &str = "not fitted";

settings! {
    /// The one table of scores: everything that is worth something has its value here.
    pub struct Scores {}

    /// 五連: a five, which wins.
    five: i32 = 100_000, in -1_000_000..=1_000_000, "points of score", if [COUNTED];
    /// 達四: a straight four, also white's two fours, which wins unless a five comes first.
    open_four: i32 = 10_000, in -1_000_000..=1_000_000, "points of score", if [COUNTED];
    /// 四三: a four and a three at once, added to what both are worth.
    four_three: i32 = 5_000, in -1_000_000..=1_000_000, "points of score", if [COUNTED];
    /// 両ミセ: a stone that threatens two four-threes.
    double_mise: i32 = 4_000, in -1_000_000..=1_000_000, "points of score", if ["mise_term", ORDERS];
    /// 禁手追い込み: white's four whose only block is forbidden to black.
    trap_strong: i32 = 5_000, in -1_000_000..=1_000_000, "points of score", if ["trap_term", ORDERS];
    /// White's three of which one defence is forbidden to black, so that only the other is left.
    trap_three: i32 = 3_000, in -1_000_000..=1_000_000, "points of score", if ["trap_term", ORDERS];
    /// A four-three that could be played next at the end of a search.
    leaf_four_three: i32 = 3_000, in -1_000_000..=1_000_000, "points of score", if [VALUED];
    /// 四: a four with one completion.
    four: i32 = 1_500, in -1_000_000..=1_000_000, "points of score", if [COUNTED];
    /// White's three with an extension that is forbidden to black.
    trap_setup: i32 = 1_500, in -1_000_000..=1_000_000, "points of score", if ["trap_term", ORDERS];
    /// フクミ手: a stone that threatens a win by fours.
    fukumi: i32 = 1_500, in -1_000_000..=1_000_000, "points of score", if ["fukumi_term", ORDERS];
    /// ミセ手: a stone that threatens a four-three.
    mise: i32 = 1_000, in -1_000_000..=1_000_000, "points of score", if ["mise_term", ORDERS];
    /// 活三: an open three; for black a real one.
    open_three: i32 = 1_000, in -1_000_000..=1_000_000, "points of score", if [COUNTED];
    /// Every further direction in which a stone makes a three or a four.
    multi_direction: i32 = 500, in -1_000_000..=1_000_000, "points of score", if [COUNTED];
    /// Every further direction in which the opponent would get a three or a four on the point.
    defence_crossing: i32 = 300, in -1_000_000..=1_000_000, "points of score", if [ORDERS];
    /// 活二: an open two.
    open_two: i32 = 50, in -1_000_000..=1_000_000, "points of score", if [COUNTED];
    /// 剣先: a closed three.
    closed_three: i32 = 30, in -1_000_000..=1_000_000, "points of score", if [COUNTED];
    /// Every direction with a shape, if there are two or more.
    connectivity: i32 = 30, in -1_000_000..=1_000_000, "points of score", if [ORDERS];
    /// A second stone where five still fit.
    closed_two: i32 = 10, in -1_000_000..=1_000_000, "points of score", if [COUNTED];
    /// The centre of the board, less away from it.
    center: i32 = 5, in -1_000_000..=1_000_000, "points of score", if [ORDERS];
    /// Taken off black's three with a forbidden extension that lies on a white attack.
    vulnerability_strong: i32 = 800, in -1_000_000..=1_000_000, "points of score", if ["vulnerability_term", ORDERS];
    /// Taken off black's three with a forbidden extension elsewhere.
    vulnerability_weak: i32 = 300, in -1_000_000..=1_000_000, "points of score", if ["vulnerability_term", ORDERS];
    /// The most that is taken off for all forbidden extensions together.
    vulnerability_most: i32 = 1_500, in -1_000_000..=1_000_000, "points of score", if ["vulnerability_term", ORDERS];
    /// Taken off a four that makes no three and leads nowhere.
    single_four: i32 = 1_500, in -1_000_000..=1_000_000, "points of score", if [ORDERS];
    /// Share of the defence that counts for a stone that also makes a four.
    counter_four_percent: i32 = 150, in -1_000_000..=1_000_000, "per cent", if ["counter_four_term", ORDERS];
    /// Share of its value that a shape on a diagonal has.
    diagonal_percent: i32 = 105, in -1_000_000..=1_000_000, "per cent", if [ORDERS];
    /// Share of a five of the opponent's that counts for a stone that prevents it.
    defence_five_percent: i32 = 100, in -1_000_000..=1_000_000, "per cent", if [COUNTED];
    /// Share of a straight four of the opponent's that counts for a stone that prevents it.
    defence_open_four_percent: i32 = 95, in -1_000_000..=1_000_000, "per cent", if [COUNTED];
    /// Share of a four of the opponent's that counts for a stone that prevents it.
    defence_four_percent: i32 = 70, in -1_000_000..=1_000_000, "per cent", if [COUNTED];
    /// Share of an open three of the opponent's that counts for a stone that prevents it.
    defence_open_three_percent: i32 = 70, in -1_000_000..=1_000_000, "per cent", if [COUNTED];
    /// Share of a closed three of the opponent's that counts for a stone that prevents it.
    defence_closed_three_percent: i32 = 30, in -1_000_000..=1_000_000, "per cent", if [COUNTED];
    /// Share of an open two of the opponent's that counts for a stone that prevents it.
    defence_open_two_percent: i32 = 20, in -1_000_000..=1_000_000, "per cent", if [COUNTED];
    /// Share of a closed two of the opponent's that counts for a stone that prevents it.
    defence_closed_two_percent: i32 = 10, in -1_000_000..=1_000_000, "per cent", if [COUNTED];
    /// Added at a glance to a first stone that may become an open two.
    grade_open_one: i32 = 4, in -1_000_000..=1_000_000, "points of score", if [VALUED];
    /// Added at a glance to a two that two cells make an open three.
    grade_open_two: i32 = 6, in -1_000_000..=1_000_000, "points of score", if [VALUED];
    /// Added at a glance to a two that three or more cells make an open three.
    grade_wide_two: i32 = 12, in -1_000_000..=1_000_000, "points of score", if [VALUED];
    /// Added at a glance to a three that two cells make a straight four.
    grade_open_three: i32 = 50, in -1_000_000..=1_000_000, "points of score", if [VALUED];
}

impl Scores {
    /// What a shape is worth. Overlines are worth nothing, and black never plays two fours.
    #[must_use]
    pub const fn shape(&self, class: Class) -> i32 {
        match class {
            Class::None | Class::Overline => 0,
            Class::ClosedTwo => self.closed_two,
            Class::OpenTwo => self.open_two,
            Class::ClosedThree => self.closed_three,
            Class::OpenThree => self.open_three,
            Class::Four => self.four,
            Class::TwoFours | Class::OpenFour => self.open_four,
            Class::Five => self.five,
        }
    }

    /// How much of a shape of the opponent's counts for a stone that prevents it, in per cent.
    #[must_use]
    pub const fn defence_percent(&self, class: Class) -> i32 {
        match class {
            Class::None | Class::Overline => 0,
            Class::ClosedTwo => self.defence_closed_two_percent,
            Class::OpenTwo => self.defence_open_two_percent,
            Class::ClosedThree => self.defence_closed_three_percent,
            Class::OpenThree => self.defence_open_three_percent,
            Class::Four => self.defence_four_percent,
            Class::TwoFours | Class::OpenFour => self.defence_open_four_percent,
            Class::Five => self.defence_five_percent,
        }
    }
}
