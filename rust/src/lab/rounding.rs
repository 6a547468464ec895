//! From parameters to whole numbers without losing what was gained.

use super::crew::{Crew, Halt};
use super::descent::{Examples, Stopping, Sums, Task, total};

/// Parameters whose rounding costs less than this of the loss of an example may be rounded last.
const WORTH_CARE: f64 = 1e-8;

/// The number of steps by which the others are moved each time some were rounded.
const STEPS: usize = 3;

/// Some groups have a hundred cells on a board: rounding their shares moves the value by half a hundred. So
/// parameters are rounded a few at a time, the most costly ones first, and each time the rest makes up for it.
/// Returns multiples of one part of `scale`.
pub(super) fn round<E: Examples>(
    task: &Task<'_, E>,
    parameters: &[f64],
    scale: f64,
    crew: &mut Crew<'_>,
) -> Result<Vec<f64>, Halt> {
    let rounded = |parameter: f64| (parameter * scale).round() / scale;
    let sums = total(task.train, parameters, &Sums::with_everything(parameters.len()), crew)?;
    // What rounding costs on average: the mean square of the error is a twelfth.
    let cost = |bend: f64| bend / (24.0 * scale * scale) / sums.weight;
    let curvature = sums.curvature.as_deref().expect("asked for");
    let mut costly: Vec<usize> = (0..parameters.len()).filter(|&i| cost(curvature[i]) > WORTH_CARE).collect();
    costly.sort_by(|&a, &b| curvature[b].total_cmp(&curvature[a]).then(a.cmp(&b)));
    let mut parameters = parameters.to_vec();
    let mut fixed = vec![false; parameters.len()];
    let mut done = 0;
    while done < costly.len() {
        let next = (2 * done).clamp(2, costly.len());
        for &i in &costly[done..next] {
            parameters[i] = rounded(parameters[i]);
            fixed[i] = true;
        }
        done = next;
        let stopping = Stopping { iterations: STEPS, patience: STEPS };
        let rest = Task { start: &parameters, fixed: &fixed, stopping, ..*task };
        parameters = rest.minimize(crew, &mut |_, _| {})?.parameters;
    }
    Ok(parameters.into_iter().map(rounded).collect())
}
