//! Minimizing a loss: L-BFGS on all examples at once, ended by examples it does not learn from.

use std::collections::VecDeque;

use super::crew::{Crew, Halt};

/// Examples with a loss that is a sum over them and a smooth function of some parameters.
pub trait Examples: Sync {
    /// Adds what these examples contribute, as far as `sums` has places for it.
    fn add(&self, parameters: &[f64], sums: &mut Sums);
}

/// Sums over some examples.
#[derive(Clone, Debug, Default)]
pub struct Sums {
    /// The sum of the weighted losses.
    pub loss: f64,
    /// The sum of the weights of the examples.
    pub weight: f64,
    /// How the loss changes with each parameter.
    pub gradient: Option<Vec<f64>>,
    /// How the gradient of each parameter changes with the parameter, roughly.
    pub curvature: Option<Vec<f64>>,
}

impl Sums {
    /// Places for the loss alone.
    #[must_use]
    pub fn loss_only() -> Sums {
        Sums::default()
    }

    /// Places for the gradient too.
    #[must_use]
    pub fn with_gradient(parameters: usize) -> Sums {
        Sums { gradient: Some(vec![0.0; parameters]), ..Sums::default() }
    }

    /// Places for all of it.
    #[must_use]
    pub fn with_everything(parameters: usize) -> Sums {
        Sums { curvature: Some(vec![0.0; parameters]), ..Sums::with_gradient(parameters) }
    }

    fn merge(&mut self, other: &Sums) {
        self.loss += other.loss;
        self.weight += other.weight;
        for (own, others) in [(&mut self.gradient, &other.gradient), (&mut self.curvature, &other.curvature)]
        {
            if let (Some(own), Some(others)) = (own, others) {
                own.iter_mut().zip(others).for_each(|(a, b)| *a += b);
            }
        }
    }

    /// The loss of an example on average.
    #[must_use]
    pub fn mean(&self) -> f64 {
        self.loss / self.weight
    }
}

/// Losses of examples on average: of those learnt from, and of those that are not.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Losses {
    /// The mean loss of the examples that parameters are fitted to.
    pub train: f64,
    /// The mean loss of the examples that were not learnt from.
    pub validation: f64,
}

/// When a descent ends.
#[derive(Clone, Copy, Debug)]
pub struct Stopping {
    /// The greatest number of steps.
    pub iterations: usize,
    /// The number of steps, without a lower loss of the examples that are not learnt from, after which to
    /// end.
    pub patience: usize,
}

/// The loss to be minimized.
pub struct Task<'a, E> {
    /// Examples to learn from, in parts whose cut never depends on the threads.
    pub train: &'a [E],
    /// The examples that are compared with, not learnt from.
    pub validation: &'a [E],
    /// The parameters to begin with.
    pub start: &'a [f64],
    /// Which parameters stay as they are; none if empty.
    pub fixed: &'a [bool],
    /// The parameters to which those that are fitted are pulled.
    pub anchor: &'a [f64],
    /// How strongly parameters are pulled to the anchor: half of this times the square of the distance is
    /// added to the loss.
    pub pull: f64,
    /// When the descent ends.
    pub stopping: Stopping,
}

/// What a descent came to.
#[derive(Clone, Debug)]
pub struct Fitted {
    /// The parameters with the lowest loss of the examples that were not learnt from.
    pub parameters: Vec<f64>,
    /// The losses at the start and after every step.
    pub losses: Vec<Losses>,
    /// The step after which these parameters were found.
    pub best: usize,
    /// Was the descent told to stop?
    pub is_stopped: bool,
}

/// Steps that are remembered.
const MEMORY: usize = 12;

/// How often a step is halved before it is given up.
const HALVINGS: usize = 20;

/// A step must lower the loss by this part of what its slope promises.
const SUFFICIENT: f64 = 1e-4;

/// A smaller part of the loss is not worth a step.
const SMALLEST_GAIN: f64 = 1e-9;

impl<E: Examples> Task<'_, E> {
    /// Minimizes. `report` hears of the losses after every step.
    pub fn minimize(
        &self,
        crew: &mut Crew<'_>,
        report: &mut dyn FnMut(usize, Losses),
    ) -> Result<Fitted, Halt> {
        let size = self.start.len();
        let mut current = self.evaluate(self.start, &Sums::with_everything(size), crew)?;
        let first = Losses { train: current.mean, validation: self.compare(self.start, crew)? };
        let mut fitted =
            Fitted { parameters: self.start.to_vec(), losses: vec![first], best: 0, is_stopped: false };
        report(0, first);
        let mut memory = Memory::new(std::mem::take(&mut current.curvature));
        let mut parameters = self.start.to_vec();
        for step in 1..=self.stopping.iterations {
            let losses = match self.step(&mut parameters, &mut current, &mut memory, crew) {
                Ok(true) => self.compare(&parameters, crew),
                Ok(false) => break,
                Err(halt) => Err(halt),
            };
            let losses = match losses {
                Ok(validation) => Losses { train: current.mean, validation },
                Err(Halt::Stopped) => {
                    fitted.is_stopped = true;
                    break;
                }
                Err(halt) => return Err(halt),
            };
            report(step, losses);
            if losses.validation < fitted.losses[fitted.best].validation {
                fitted.best = step;
                fitted.parameters.clone_from(&parameters);
            }
            fitted.losses.push(losses);
            if step >= fitted.best + self.stopping.patience {
                break;
            }
        }
        Ok(fitted)
    }

    /// One step; false if there is none that helps.
    fn step(
        &self,
        parameters: &mut Vec<f64>,
        current: &mut Place,
        memory: &mut Memory,
        crew: &mut Crew<'_>,
    ) -> Result<bool, Halt> {
        let direction = memory.direction(&current.gradient);
        let slope = dot(&direction, &current.gradient);
        if slope >= 0.0 {
            return Ok(false);
        }
        let mut length = 1.0;
        for _ in 0..HALVINGS {
            let next: Vec<f64> = parameters.iter().zip(&direction).map(|(p, d)| p + length * d).collect();
            let there = self.evaluate(&next, &Sums::with_gradient(next.len()), crew)?;
            if there.loss <= current.loss + SUFFICIENT * length * slope {
                let gain = current.loss - there.loss;
                memory.learn(&difference(&next, parameters), &difference(&there.gradient, &current.gradient));
                *parameters = next;
                *current = there;
                return Ok(gain > SMALLEST_GAIN * current.loss.abs());
            }
            length /= 2.0;
        }
        Ok(false)
    }

    /// The loss with the pull to the anchor, and its slopes.
    fn evaluate(&self, parameters: &[f64], places: &Sums, crew: &mut Crew<'_>) -> Result<Place, Halt> {
        let sums = total(self.train, parameters, places, crew)?;
        let mean = sums.mean();
        let mut loss = sums.loss;
        let mut gradient = sums.gradient.expect("asked for");
        let mut curvature = sums.curvature.unwrap_or_default();
        for ((slope, now), anchor) in gradient.iter_mut().zip(parameters).zip(self.anchor) {
            loss += 0.5 * self.pull * (now - anchor).powi(2);
            *slope += self.pull * (now - anchor);
        }
        curvature.iter_mut().for_each(|bend| *bend += self.pull);
        for list in [&mut gradient, &mut curvature] {
            let fixed = list.iter_mut().zip(self.fixed).filter(|(_, is_fixed)| **is_fixed);
            fixed.for_each(|(number, _)| *number = 0.0);
        }
        Ok(Place { loss, mean, gradient, curvature })
    }

    /// The losses of other parameters.
    pub fn losses(&self, parameters: &[f64], crew: &mut Crew<'_>) -> Result<Losses, Halt> {
        let train = total(self.train, parameters, &Sums::loss_only(), crew)?.mean();
        Ok(Losses { train, validation: self.compare(parameters, crew)? })
    }

    /// The loss of the examples that are not learnt from.
    fn compare(&self, parameters: &[f64], crew: &mut Crew<'_>) -> Result<f64, Halt> {
        total(self.validation, parameters, &Sums::loss_only(), crew).map(|sums| sums.mean())
    }
}

/// The sums over all parts, added up in their order.
pub fn total<E: Examples>(
    parts: &[E],
    parameters: &[f64],
    places: &Sums,
    crew: &mut Crew<'_>,
) -> Result<Sums, Halt> {
    let all = crew.map(parts, || {
        |part: &E| {
            let mut sums = places.clone();
            part.add(parameters, &mut sums);
            sums
        }
    })?;
    let mut sums = places.clone();
    all.iter().for_each(|part| sums.merge(part));
    if sums.weight > 0.0 { Ok(sums) } else { Err(Halt::Nothing) }
}

/// A place in the space of parameters.
struct Place {
    /// The sum of the losses, with the pull to the anchor.
    loss: f64,
    /// The mean loss, without the pull to the anchor.
    mean: f64,
    gradient: Vec<f64>,
    curvature: Vec<f64>,
}

/// What the last steps tell of how the gradient changes.
struct Memory {
    /// The curvature to begin with, before any step has told of it.
    curvature: Vec<f64>,
    /// Step, change of the gradient, their product.
    steps: VecDeque<(Vec<f64>, Vec<f64>, f64)>,
}

impl Memory {
    fn new(curvature: Vec<f64>) -> Memory {
        Memory { curvature, steps: VecDeque::new() }
    }

    fn learn(&mut self, step: &[f64], change: &[f64]) {
        let product = dot(step, change);
        if product > 0.0 {
            if self.steps.len() == MEMORY {
                self.steps.pop_front();
            }
            self.steps.push_back((step.to_vec(), change.to_vec(), product));
        }
    }

    /// Where to go: against the gradient, by what is known of its changes.
    fn direction(&self, gradient: &[f64]) -> Vec<f64> {
        let mut direction: Vec<f64> = gradient.iter().map(|slope| -slope).collect();
        let mut parts = Vec::new();
        for (step, change, product) in self.steps.iter().rev() {
            let part = dot(step, &direction) / product;
            direction.iter_mut().zip(change).for_each(|(d, c)| *d -= part * c);
            parts.push(part);
        }
        let ratio = self.steps.back().map_or(1.0, |(_, change, product)| {
            let expected: f64 =
                change.iter().zip(&self.curvature).map(|(c, bend)| c * inverse(*bend) * c).sum();
            product / expected
        });
        direction.iter_mut().zip(&self.curvature).for_each(|(d, bend)| *d *= ratio * inverse(*bend));
        for ((step, change, product), part) in self.steps.iter().zip(parts.iter().rev()) {
            let back = dot(change, &direction) / product;
            direction.iter_mut().zip(step).for_each(|(d, s)| *d += (part - back) * s);
        }
        direction
    }
}

/// A parameter that changes nothing stays.
fn inverse(bend: f64) -> f64 {
    if bend > 0.0 { 1.0 / bend } else { 0.0 }
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

fn difference(a: &[f64], b: &[f64]) -> Vec<f64> {
    a.iter().zip(b).map(|(a, b)| a - b).collect()
}
