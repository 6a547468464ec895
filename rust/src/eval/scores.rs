use crate::rules::Class;

/// Defines [`Scores`]: a field for every score, with its default and its meaning.
macro_rules! scores {
    ($($(#[$doc:meta])* $name:ident = $default:expr;)*) => {
        /// The one table of scores. Everything that is worth something has its value here.
        #[derive(Clone, Debug, PartialEq, Eq)]
        pub struct Scores {
            $($(#[$doc])* pub $name: i32,)*
        }

        impl Default for Scores {
            fn default() -> Scores {
                Scores { $($name: $default,)* }
            }
        }

        impl Scores {
            /// The names of all scores, in order.
            pub const NAMES: &'static [&'static str] = &[$(stringify!($name),)*];

            /// The score with this name.
            #[must_use]
            pub fn get(&self, name: &str) -> Option<i32> {
                match name {
                    $(stringify!($name) => Some(self.$name),)*
                    _ => None,
                }
            }

            /// The score with this name, to be changed.
            pub fn get_mut(&mut self, name: &str) -> Option<&mut i32> {
                match name {
                    $(stringify!($name) => Some(&mut self.$name),)*
                    _ => None,
                }
            }
        }
    };
}

scores! {
    /// 五連: wins.
    five = 100_000;
    /// 達四, also white's two fours: wins unless a five comes first.
    open_four = 10_000;
    /// 四三: a four and a three at once, added to both.
    four_three = 5_000;
    /// 両ミセ: threatens two four-threes.
    double_mise = 4_000;
    /// 禁手追い込み: a four whose only block is forbidden to black.
    trap_strong = 5_000;
    /// A three of which one defence is forbidden, so that only the other can be answered.
    trap_three = 3_000;
    /// At the end of a search, a four-three that could be played next.
    leaf_four_three = 3_000;
    /// 四 with one completion.
    four = 1_500;
    /// A three with an extension that is forbidden to black.
    trap_setup = 1_500;
    /// フクミ手: threatens a win by fours.
    fukumi = 1_500;
    /// ミセ手: threatens a four-three.
    mise = 1_000;
    /// 活三; for black a real one.
    open_three = 1_000;
    /// For every further direction with a three or four.
    multi_direction = 500;
    /// For every further direction in which the opponent would get a three or four here.
    defence_crossing = 300;
    /// 活二.
    open_two = 50;
    /// 剣先.
    closed_three = 30;
    /// For every direction with a shape, if there are two or more.
    connectivity = 30;
    /// A second stone where five still fit.
    closed_two = 10;
    /// For the centre, less away from it.
    center = 5;
    /// Black's three with a forbidden extension that lies on a white attack.
    vulnerability_strong = 800;
    /// The same elsewhere.
    vulnerability_weak = 300;
    /// Most of these together.
    vulnerability_most = 1_500;
    /// Taken off a four that makes no three and leads nowhere.
    single_four = 1_500;
    /// Per cent of the defence kept by a stone that also makes a four.
    counter_four_percent = 150;
    /// Per cent of a shape on a diagonal.
    diagonal_percent = 105;
    /// Per cent of what the opponent would get here: a five.
    defence_five_percent = 100;
    /// A straight four.
    defence_open_four_percent = 95;
    /// A four.
    defence_four_percent = 70;
    /// A three.
    defence_open_three_percent = 70;
    /// A closed three.
    defence_closed_three_percent = 30;
    /// An open two.
    defence_open_two_percent = 20;
    /// A closed two.
    defence_closed_two_percent = 10;
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_are_found_by_name() {
        let mut scores = Scores::default();
        assert_eq!(scores.get("trap_strong"), Some(5_000));
        *scores.get_mut("trap_strong").unwrap() = 8_000;
        assert_eq!(scores.trap_strong, 8_000);
        assert!(Scores::NAMES.iter().all(|name| scores.get(name).is_some()));
        assert_eq!(scores.get("no_such_score"), None);
    }
}
