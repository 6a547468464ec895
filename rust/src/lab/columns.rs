//! Columns of a table as parameters of a fit, and back.

use super::board_fit::{BOARD_PARAMETERS, share_parameter, threat_parameter};
use super::order_fit::{ORDER_PARAMETERS, attack_parameter, defence_parameter};
use crate::eval::ValueTable;
use crate::types::Color;

/// Numbers stay so short, as those that follow from the scores.
const MOST: f64 = 30_000.0;

/// The columns that one part of a fit is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FitPart {
    /// The shares of the board and what threats are worth.
    Board,
    /// The numbers that order the moves.
    Order,
}

impl FitPart {
    /// The name of the part in settings.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            FitPart::Board => "board",
            FitPart::Order => "order",
        }
    }

    /// The parameters of a table, in units of a scale.
    #[must_use]
    pub fn parameters(self, table: &ValueTable, scale: f64) -> Vec<f64> {
        let size = if self == FitPart::Board { BOARD_PARAMETERS } else { ORDER_PARAMETERS };
        let mut parameters = vec![0.0; size];
        self.each(&mut table.clone(), |number, parameter| parameters[parameter] = f64::from(*number) / scale);
        parameters
    }

    /// The table with these parameters, to the nearest whole numbers, and the other columns of this one.
    #[must_use]
    pub fn put(self, table: &ValueTable, parameters: &[f64], scale: f64) -> ValueTable {
        let mut table = table.clone();
        self.each(&mut table, |number, parameter| {
            *number = (parameters[parameter] * scale).round().clamp(-MOST, MOST) as i16;
        });
        table
    }

    /// Calls `work` with every number and its parameter.
    fn each(self, table: &mut ValueTable, mut work: impl FnMut(&mut i16, usize)) {
        let (cells, threats) = table.numbers_mut();
        for color in Color::ALL {
            for (group, numbers) in cells.iter_mut().enumerate() {
                let [board, attack, defence] = [0, 2, 4].map(|column| column + color.index());
                match self {
                    FitPart::Board => work(&mut numbers[board], share_parameter(color, group)),
                    FitPart::Order => {
                        work(&mut numbers[attack], attack_parameter(color, group));
                        work(&mut numbers[defence], defence_parameter(color, group));
                    }
                }
            }
            if self == FitPart::Board {
                for (state, numbers) in threats.iter_mut().enumerate() {
                    work(&mut numbers[color.index()], threat_parameter(color, state));
                }
            }
        }
    }
}
