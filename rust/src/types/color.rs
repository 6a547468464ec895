/// The two sides. Black moves first and is the one with forbidden moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Color {
    /// The side that moves first and has forbidden points: code 1 in arrays.
    Black = 1,
    /// The side that moves second: code 2 in arrays.
    White = 2,
}

impl Color {
    /// Both colours, black first.
    pub const ALL: [Color; 2] = [Color::Black, Color::White];

    /// The colour of the other side.
    #[must_use]
    pub const fn opponent(self) -> Color {
        match self {
            Color::Black => Color::White,
            Color::White => Color::Black,
        }
    }

    /// 0 for black, 1 for white: the place of this colour in a pair.
    #[must_use]
    pub const fn index(self) -> usize {
        self as usize - 1
    }

    /// The colour behind an array code (1, 2), if it is one.
    #[must_use]
    pub const fn from_code(code: u8) -> Option<Color> {
        match code {
            1 => Some(Color::Black),
            2 => Some(Color::White),
            _ => None,
        }
    }
}

impl std::fmt::Display for Color {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Color::Black => "black",
            Color::White => "white",
        })
    }
}
