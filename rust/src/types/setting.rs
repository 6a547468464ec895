//! Settings by name: one declaration carries the name, type, default, range, unit, conditions and meaning of
//! every switch and number, and everything else that lists settings is made from it.

use std::ops::RangeInclusive;

/// What is known of one setting.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Setting {
    /// The name of the field.
    pub name: &'static str,
    /// Is the setting a switch, with the values 0 and 1?
    pub is_switch: bool,
    /// The value at level hard.
    pub default: i64,
    /// The least value that is accepted.
    pub least: i64,
    /// The greatest value that is accepted.
    pub most: i64,
    /// What one unit of the value is; empty for a switch.
    pub unit: &'static str,
    /// When the setting has an effect: every clause must hold. A clause names settings, joined by " or ", of
    /// which one must be on (not 0), or off after "not ". A setting without clauses always has an effect.
    pub needs: &'static [&'static str],
    /// The meaning in one sentence or more.
    pub doc: &'static str,
}

impl Setting {
    /// Does the setting accept this value?
    #[must_use]
    pub fn accepts(&self, value: i64) -> bool {
        RangeInclusive::new(self.least, self.most).contains(&value)
    }

    /// The first clause that does not hold, so that the setting has no effect. `value` tells the value of the
    /// setting with a name.
    pub fn unmet(&self, value: impl Fn(&str) -> i64) -> Option<&'static str> {
        self.needs.iter().copied().find(|clause| {
            !clause.split(" or ").any(|name| match name.strip_prefix("not ") {
                Some(name) => value(name) == 0,
                None => value(name) != 0,
            })
        })
    }
}

/// Defines a struct of settings with its defaults, a table `SETTINGS` that describes each field, and access
/// by name. A field is written as
///
/// ```text
/// /// Its meaning, a full sentence.
/// name: u32 = default, in least..=most, "unit", if ["clause", "clause"];
/// ```
///
/// with `bool`, `u32` or `i32` as its type; range and unit are left out for a `bool`, clauses where the
/// setting always has an effect.
macro_rules! settings {
    (
        $(#[$about:meta])*
        pub struct $group:ident { $($(#[$inner_about:meta])* $inner:ident: $inner_kind:ident,)? }
        $(
            $(#[doc = $doc:literal])+
            $name:ident: $kind:ident = $default:expr
                $(, in $least:literal ..= $most:expr, $unit:literal)?
                $(, if [$($needs:expr),+])?;
        )*
    ) => {
        $(#[$about])*
        #[derive(Clone, Debug, PartialEq, Eq)]
        pub struct $group {
            $($(#[$inner_about])* pub $inner: $inner_kind,)?
            $($(#[doc = $doc])+ pub $name: $kind,)*
        }

        impl Default for $group {
            fn default() -> $group {
                $group { $($inner: $inner_kind::default(),)? $($name: $default,)* }
            }
        }

        impl $group {
            /// What is known of every field, in order.
            pub const SETTINGS: &'static [$crate::types::Setting] = &[$($crate::types::Setting {
                name: stringify!($name),
                is_switch: $crate::types::setting::is_switch!($kind),
                default: $default as i64,
                least: $crate::types::setting::or!($($least as i64)?, 0),
                most: $crate::types::setting::or!($($most as i64)?, 1),
                unit: $crate::types::setting::or!($($unit)?, ""),
                needs: $crate::types::setting::or!($(&[$($needs),+])?, &[]),
                doc: concat!($($doc),+),
            },)*];

            /// The value of the field with this name; a switch is 0 or 1.
            #[must_use]
            pub fn get(&self, name: &str) -> Option<i64> {
                match name {
                    $(stringify!($name) => Some(i64::from(self.$name)),)*
                    _ => $crate::types::setting::or!($(self.$inner.get(name))?, None),
                }
            }

            /// Sets the field with this name; false if there is no such field or its range does not have the
            /// value.
            #[must_use]
            pub fn set(&mut self, name: &str, value: i64) -> bool {
                match name {
                    $(stringify!($name) => {
                        let setting = Self::SETTINGS.iter().find(|setting| setting.name == name);
                        let is_accepted = setting.is_some_and(|setting| setting.accepts(value));
                        if is_accepted {
                            self.$name = $crate::types::setting::value_of!($kind, value);
                        }
                        is_accepted
                    })*
                    _ => $crate::types::setting::or!($(self.$inner.set(name, value))?, false),
                }
            }
        }
    };
}

/// Is the type of a setting that of a switch?
macro_rules! is_switch {
    (bool) => {
        true
    };
    ($kind:ident) => {
        false
    };
}

/// A value within the range of a setting, as its type.
macro_rules! value_of {
    (bool, $value:expr) => {
        $value != 0
    };
    ($kind:ident, $value:expr) => {
        $kind::try_from($value).expect("ranges fit their types")
    };
}

/// The first expression if it is there, else the second.
macro_rules! or {
    (, $other:expr) => {
        $other
    };
    ($given:expr, $other:expr) => {
        $given
    };
}

pub(crate) use {is_switch, or, settings, value_of};

#[cfg(test)]
mod tests {
    settings! {
        /// Some settings.
        pub struct Sample {}

        /// A switch.
        on: bool = true;
        /// A number that counts
        /// over two lines.
        count: u32 = 3, in 1..=9, "things", if ["on"];
        /// A sum.
        sum: i32 = -5, in -10..=10, "points", if ["not on or count", "count"];
    }

    #[test]
    fn fields_are_found_by_name() {
        let mut some = Sample::default();
        assert_eq!((some.get("on"), some.get("count"), some.get("sum")), (Some(1), Some(3), Some(-5)));
        assert!(some.set("on", 0) && some.set("count", 9) && some.set("sum", -10));
        assert_eq!(some, Sample { on: false, count: 9, sum: -10 });
        assert!(!some.set("on", 2) && !some.set("count", 0) && !some.set("sum", 11) && !some.set("x", 1));
    }

    #[test]
    fn clauses_tell_what_has_an_effect() {
        let [on, count, sum] = Sample::SETTINGS else { panic!("three settings") };
        let unmet = |setting: &super::Setting, some: &Sample| setting.unmet(|name| some.get(name).unwrap());
        let mut some = Sample::default();
        assert_eq!((unmet(on, &some), unmet(count, &some), unmet(sum, &some)), (None, None, None));
        some.on = false;
        assert_eq!(unmet(count, &some), Some("on"));
        assert_eq!(unmet(sum, &some), None);
        some.count = 0;
        assert_eq!(unmet(sum, &some), Some("count"));
        assert_eq!(count.doc, " A number that counts over two lines.");
    }
}
