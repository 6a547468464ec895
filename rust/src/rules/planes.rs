//! Shapes on all cells at once.
//!
//! One formula, [`shapes`], works out for every empty cell what a stone there would make along one
//! direction: not cell by cell but with bitwise arithmetic on *planes*, sets that hold one bit per
//! cell. A plane may be a whole board or a bundle of lines ([`Lanes`]); the direction is an
//! [`Axis`].
//!
//! It rests on two kinds of windows. In the drawings `X` is an own stone, `.` an empty cell, `-`
//! any cell without an own stone (for black; for white any cell at all).
//!
//! ```text
//! five-window     - c c c c c -      five cells without enemy stones; filling it makes a five.
//!                 | start |          The cells just outside must not hold an own stone if only
//!                                    an exact five counts.
//! four-window   - . c c c c . -      four cells without enemy stones, both neighbours empty;
//!                   start            filling the four makes a straight four.
//! ```
//!
//! Windows are named by their first cell `c` and sorted by how many own stones they hold:
//!
//! | own stones | five-window        | four-window         |
//! |------------|--------------------|---------------------|
//! | 4          | `XX.XX` five       |                     |
//! | 3          | `X.X.X` four       | `.XX.X.` open four  |
//! | 2          | `..XX.` closed three | `.X.X..` open three |
//! | 1          | closed two         | open two            |

use super::vector::{Axis, Lanes};

/// What a stone on a cell makes along one direction. Planes overlap: the cell of an open four is
/// also the cell of a four. [`classes`] picks the best.
#[derive(Clone, Copy)]
pub struct Shapes<V> {
    /// 五連: completes a five (exactly five where exactness is asked for).
    pub five: V,
    /// 長連: six or more in a row, where exactness is asked for.
    pub overline: V,
    /// 達四: four in a row that two cells complete.
    pub open_four: V,
    /// 四四 on one line: two cells complete a five, but not as an open four.
    pub two_fours: V,
    /// 四: at least one cell completes a five.
    pub four: V,
    /// 活三: one more stone makes an open four.
    pub open_three: V,
    /// 剣先: one more stone makes a four.
    pub closed_three: V,
    /// One more stone makes an open three.
    pub open_two: V,
    /// One more stone makes a closed three.
    pub closed_two: V,
    /// Four-windows of open threes, by first cell: two own stones, two empty cells. A stone on one
    /// of the empty cells makes the three, a stone on the other then makes the straight four.
    pub straight: V,
    /// Five-windows of fours, by first cell: three own stones, two empty cells. A stone on one of
    /// the empty cells makes the four, the other completes it.
    pub four_windows: V,
}

/// How many own stones a window holds, as planes.
struct Count<V> {
    one: V,
    two: V,
    three: V,
    four: V,
}

/// The formula. `exact` marks the cells on which only an exact five counts: all for black, none
/// for white.
#[inline(always)]
pub fn shapes<V: Lanes, A: Axis<V>>(own: V, empty: V, exact: V) -> Shapes<V> {
    let free = own.or(empty);
    let free2 = free.and(A::ahead::<1>(free));
    let free4 = free2.and(A::ahead::<2>(free2));
    let free5 = free4.and(A::ahead::<4>(free));
    let (in_four, in_five) = counts::<V, A>(own);

    // Five-windows, c at cells 0..=4: own stones at -1 or 5 spoil them.
    let window = free5.minus(exact.and(A::behind::<1>(own).or(A::ahead::<5>(own))));
    let (five, overline) = five_or_more::<V, A>(free5.and(in_five.four), window, exact);
    let (five, overline) = (five.and(empty), overline.and(empty));
    let four_windows = window.and(in_five.three);
    let (two_completions, four, in_a_row) = completions::<V, A>(four_windows, own);
    let (two_completions, four) = (two_completions.and(empty), four.and(empty));
    let closed_three = empty.and(over_five::<V, A>(window.and(in_five.two)));
    let closed_two = empty.and(over_five::<V, A>(window.and(in_five.one)));

    // Four-windows, c at cells 0..=3: -1 and 4 empty, own stones at -2 or 5 spoil them.
    let ends = A::behind::<1>(empty).and(A::ahead::<4>(empty));
    let spoilt = exact.and(A::behind::<2>(own).or(A::ahead::<5>(own)));
    let open = free4.and(ends).minus(spoilt);
    let straight = open.and(in_four.two);

    Shapes {
        five,
        overline,
        open_four: two_completions.and(in_a_row),
        two_fours: two_completions.minus(in_a_row),
        four,
        open_three: empty.and(over_four::<V, A>(straight)),
        closed_three,
        open_two: empty.and(over_four::<V, A>(open.and(in_four.one))),
        closed_two,
        straight,
        four_windows,
    }
}

/// First cells of the fives on the board: exactly five in a row where `exact`, five or more
/// elsewhere.
#[inline(always)]
pub fn fives<V: Lanes, A: Axis<V>>(own: V, exact: V) -> V {
    let two = own.and(A::ahead::<1>(own));
    let four = two.and(A::ahead::<2>(two));
    let five = four.and(A::ahead::<4>(own));
    five.minus(exact.and(A::behind::<1>(own).or(A::ahead::<5>(own))))
}

/// Own stones in the four and in the five cells from each cell on, by full adders on planes.
#[inline(always)]
fn counts<V: Lanes, A: Axis<V>>(own: V) -> (Count<V>, Count<V>) {
    // Two cells: bit 0 and bit 1 of the number of stones.
    let next = A::ahead::<1>(own);
    let (pair0, pair1) = (own.xor(next), own.and(next));
    let (far0, far1) = (A::ahead::<2>(pair0), A::ahead::<2>(pair1));
    // Four cells: pair + pair.
    let carry = pair0.and(far0);
    let bit0 = pair0.xor(far0);
    let bit1 = pair1.xor(far1).xor(carry);
    let bit2 = pair1.and(far1);
    let in_four = Count { one: bit0.minus(bit1), two: bit1.minus(bit0), three: bit1.and(bit0), four: bit2 };
    // Five cells: plus the last one.
    let last = A::ahead::<4>(own);
    let carry = bit0.and(last);
    let bit0 = bit0.xor(last);
    let bit2 = bit2.or(bit1.and(carry));
    let bit1 = bit1.xor(carry);
    let in_five = Count {
        one: bit0.minus(bit1).minus(bit2),
        two: bit1.minus(bit0),
        three: bit1.and(bit0),
        four: bit2.minus(bit0),
    };
    (in_four, in_five)
}

/// From windows with four own stones and an empty cell to the cells that make a five, and to those
/// that make more: they fill only spoilt windows, as in `.XXXX X` or `XX.XXX`.
#[inline(always)]
fn five_or_more<V: Lanes, A: Axis<V>>(full: V, window: V, exact: V) -> (V, V) {
    if full.can_be_skipped() {
        return (V::zero(), V::zero());
    }
    let five = over_five::<V, A>(full.and(window));
    (five, exact.and(over_five::<V, A>(full)).minus(five))
}

/// From windows with three own stones and two empty cells to those two cells.
///
/// A stone on one of the two makes a four that the other completes: ahead of the first, behind the
/// second. There is at most one completion on each side (a second one beyond it would have the
/// first, empty, inside its window), so a cell with both has exactly two, whatever the colour. All
/// cells between them are own stones then, and if they are four in a row the four is straight.
///
/// ```text
/// window    X . X . X     the left cell is completed ahead, the right one behind
/// ```
///
/// Results: cells with two completions, cells with any, cells on which a stone makes four in a row.
#[inline(always)]
fn completions<V: Lanes, A: Axis<V>>(window: V, own: V) -> (V, V, V) {
    if window.can_be_skipped() {
        return (V::zero(), V::zero(), V::zero());
    }
    let w1 = A::behind::<1>(window);
    let w2 = A::behind::<2>(window);
    let w3 = A::behind::<3>(window);
    let w4 = A::behind::<4>(window);
    let (b1, b2, b3) = (A::behind::<1>(own), A::behind::<2>(own), A::behind::<3>(own));
    let (a1, a2, a3) = (A::ahead::<1>(own), A::ahead::<2>(own), A::ahead::<3>(own));
    // Cell k of the window is its first empty one if the k cells before it are own stones.
    let ahead = window.or(b1.and(w1.or(b2.and(w2.or(b3.and(w3))))));
    // Cell k is its last empty one if the 4 - k cells after it are own stones.
    let behind = w4.or(a1.and(w3.or(a2.and(w2.or(a3.and(w1))))));
    let (near_behind, near_ahead) = (b1.and(b2), a1.and(a2));
    let in_a_row = near_behind.and(b3.or(a1)).or(near_ahead.and(a3.or(b1)));
    (ahead.and(behind), ahead.or(behind), in_a_row)
}

/// The four cells of each window.
#[inline(always)]
fn over_four<V: Lanes, A: Axis<V>>(window: V) -> V {
    let two = window.or(A::behind::<1>(window));
    two.or(A::behind::<2>(two))
}

/// The five cells of each window.
#[inline(always)]
fn over_five<V: Lanes, A: Axis<V>>(window: V) -> V {
    let two = window.or(A::behind::<1>(window));
    two.or(A::behind::<2>(two)).or(A::behind::<4>(window))
}

/// The best shape of each cell as the four bits of a [`super::Class`], lowest bit first.
#[inline(always)]
pub fn classes<V: Lanes>(s: &Shapes<V>) -> [V; 4] {
    let ends = s.five.or(s.overline);
    let strong = ends.or(s.four);
    let weak = |v: V| v.minus(strong).minus(s.open_three);
    let second = weak(s.closed_three.or(s.open_two));
    let two = s.open_four.or(s.two_fours).minus(ends);
    [
        s.five.or(s.open_four.minus(ends)).or(weak(s.closed_three.or(s.closed_two.minus(s.open_two)))),
        s.five.or(two).or(second),
        ends.or(s.open_three.minus(strong)),
        strong,
    ]
}
