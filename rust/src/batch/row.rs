//! Rows of arrays: one list of fields makes the struct, the bytes, and the layout that numpy is told.

use crate::types::{BOARD_POINTS, BOARD_SIZE, Bitboard};

/// What numpy is told of a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FieldLayout {
    /// The name of the field.
    pub name: &'static str,
    /// The type of one element, as numpy writes it: "<i4".
    pub code: &'static str,
    /// How many elements there are along each axis; empty for a single number.
    pub shape: &'static [usize],
}

/// A type that rows can have, little-endian.
pub trait Field: Sized {
    /// The type of one element, as numpy writes it.
    const CODE: &'static str;
    /// How many elements there are along each axis.
    const SHAPE: &'static [usize] = &[];
    /// Bytes of the whole field.
    const BYTES: usize;
    /// Writes the field to as many bytes.
    fn put(&self, bytes: &mut [u8]);
    /// Reads the field from as many bytes.
    fn take(bytes: &[u8]) -> Self;
}

macro_rules! number_fields {
    ($($kind:ty: $code:literal,)*) => {
        $(impl Field for $kind {
            const CODE: &'static str = $code;
            const BYTES: usize = size_of::<$kind>();
            fn put(&self, bytes: &mut [u8]) {
                bytes.copy_from_slice(&self.to_le_bytes());
            }
            fn take(bytes: &[u8]) -> $kind {
                <$kind>::from_le_bytes(bytes.try_into().expect("the bytes of the field"))
            }
        })*
    };
}

number_fields! {
    i8: "|i1",
    u8: "|u1",
    i16: "<i2",
    u16: "<u2",
    i32: "<i4",
    u32: "<u4",
    i64: "<i8",
    u64: "<u8",
}

impl Field for bool {
    const CODE: &'static str = "|b1";
    const BYTES: usize = 1;
    fn put(&self, bytes: &mut [u8]) {
        bytes[0] = u8::from(*self);
    }
    fn take(bytes: &[u8]) -> bool {
        bytes[0] != 0
    }
}

/// Moves of a line, cut off if there are more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Moves<const N: usize>(pub [u8; N]);

impl<const N: usize> Moves<N> {
    /// Fills the places after the last move.
    pub const NONE: u8 = u8::MAX;

    /// The moves of a line, and how many fit.
    pub fn of(line: impl IntoIterator<Item = u8>) -> (Moves<N>, usize) {
        let mut moves = [Self::NONE; N];
        let mut shown = 0;
        for (place, index) in moves.iter_mut().zip(line) {
            *place = index;
            shown += 1;
        }
        (Moves(moves), shown)
    }
}

impl<const N: usize> Field for Moves<N> {
    const CODE: &'static str = "|u1";
    const SHAPE: &'static [usize] = &[N];
    const BYTES: usize = N;
    fn put(&self, bytes: &mut [u8]) {
        bytes.copy_from_slice(&self.0);
    }
    fn take(bytes: &[u8]) -> Moves<N> {
        Moves(bytes.try_into().expect("the bytes of the field"))
    }
}

/// A board in the codes of the array API.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BoardCells(pub [u8; BOARD_POINTS]);

impl Field for BoardCells {
    const CODE: &'static str = "|u1";
    const SHAPE: &'static [usize] = &[BOARD_SIZE, BOARD_SIZE];
    const BYTES: usize = BOARD_POINTS;
    fn put(&self, bytes: &mut [u8]) {
        bytes.copy_from_slice(&self.0);
    }
    fn take(bytes: &[u8]) -> BoardCells {
        BoardCells(bytes.try_into().expect("the bytes of the field"))
    }
}

/// A set of points in 29 bytes: bit n, the lowest of a byte first, is the point with index n. The last seven bits
/// are 0, and are not read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PackedPoints(pub Bitboard);

impl Field for PackedPoints {
    const CODE: &'static str = "|u1";
    const SHAPE: &'static [usize] = &[Self::BYTES];
    const BYTES: usize = BOARD_POINTS.div_ceil(8);
    fn put(&self, bytes: &mut [u8]) {
        bytes.fill(0);
        for point in self.0.points() {
            bytes[point.index() / 8] |= 1 << (point.index() % 8);
        }
    }
    fn take(bytes: &[u8]) -> PackedPoints {
        // A row of 15 bits lies within the four bytes from where it begins.
        let mut padded = [0; Self::BYTES + 3];
        padded[..Self::BYTES].copy_from_slice(bytes);
        let row = |y: usize| {
            let bit = BOARD_SIZE * y;
            let four = padded[bit / 8..].first_chunk().expect("the padding is long enough");
            (u32::from_le_bytes(*four) >> (bit % 8)) as u16
        };
        PackedPoints(Bitboard::from_rows(std::array::from_fn(row)))
    }
}

/// Defines a row: its fields in the order in which they lie in memory, without gaps.
macro_rules! row {
    (
        $(#[$about:meta])*
        pub struct $row:ident { $($(#[$doc:meta])* $name:ident: $kind:ty,)* }
    ) => {
        $(#[$about])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub struct $row {
            $($(#[$doc])* pub $name: $kind,)*
        }

        impl $row {
            /// Bytes of a row.
            pub const BYTES: usize = 0 $(+ <$kind as $crate::batch::row::Field>::BYTES)*;

            /// What numpy is told of the fields, in order.
            pub const LAYOUT: &'static [$crate::batch::row::FieldLayout] = &[$(
                $crate::batch::row::FieldLayout {
                    name: stringify!($name),
                    code: <$kind as $crate::batch::row::Field>::CODE,
                    shape: <$kind as $crate::batch::row::Field>::SHAPE,
                },
            )*];

            /// The row as bytes.
            #[must_use]
            pub fn encode(&self) -> [u8; Self::BYTES] {
                let mut bytes = [0; Self::BYTES];
                let mut rest = &mut bytes[..];
                $(
                    let (field, after) = rest.split_at_mut(<$kind as $crate::batch::row::Field>::BYTES);
                    $crate::batch::row::Field::put(&self.$name, field);
                    rest = after;
                )*
                debug_assert!(rest.is_empty(), "the fields fill the row");
                bytes
            }

            /// The row of these bytes.
            #[must_use]
            pub fn decode(bytes: &[u8; Self::BYTES]) -> $row {
                let mut rest = &bytes[..];
                $(
                    let (field, after) = rest.split_at(<$kind as $crate::batch::row::Field>::BYTES);
                    let $name = <$kind as $crate::batch::row::Field>::take(field);
                    rest = after;
                )*
                debug_assert!(rest.is_empty(), "the fields fill the row");
                $row { $($name,)* }
            }
        }
    };
}

pub(crate) use row;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::Point;

    row! {
        /// A row of every type.
        pub struct Sample {
            a: i8,
            b: u64,
            c: bool,
            d: Moves<3>,
            e: i32,
            f: u16,
            g: PackedPoints,
        }
    }

    #[test]
    fn rows_survive_their_bytes() {
        let (d, shown) = Moves::of([7, 8]);
        let g = PackedPoints(Point::all().filter(|point| point.index() % 8 == 0).collect());
        let sample = Sample { a: -3, b: 1 << 40, c: true, d, e: -70_000, f: 65_000, g };
        assert_eq!((Sample::BYTES, shown, d.0), (1 + 8 + 1 + 3 + 4 + 2 + 29, 2, [7, 8, 255]));
        assert_eq!(Sample::decode(&sample.encode()), sample);
        assert_eq!(sample.encode()[1..9], (1u64 << 40).to_le_bytes());
        let layout: Vec<_> = Sample::LAYOUT.iter().map(|field| (field.name, field.code)).collect();
        let codes = ["|i1", "<u8", "|b1", "|u1", "<i4", "<u2", "|u1"];
        let expected: Vec<_> = ["a", "b", "c", "d", "e", "f", "g"].into_iter().zip(codes).collect();
        assert_eq!(layout, expected);
        assert_eq!((Sample::LAYOUT[3].shape, Sample::LAYOUT[4].shape), (&[3][..], &[][..]));
        assert_eq!(sample.encode()[19..], [1; 29]);
    }
}
