use rayon::prelude::*;

use super::example::{Example, Lesson};
use super::model::{PARAMETERS, beginning, clamp, folded, shape_places, unfold};
use super::pass::{Measures, Pass};
use super::quantize;
use crate::lab::{BadRow, Halt, SampleBytes};
use crate::network::Network;

/// Parts of a step, each with slopes of its own, which are added up in their order: the result does not depend on the
/// number of threads.
const PARTS: usize = 4;

/// Positions between two questions whether to go on, where nothing is learnt.
const MEASURED_AT_ONCE: usize = 16_384;

/// The shares of the old means of slopes and of their squares in the new ones, for a step of Adam.
const MEAN_SHARE: f32 = 0.9;
const SQUARE_SHARE: f32 = 0.999;

/// Keeps a step of Adam finite where a slope was always 0.
const LEAST_DEVIATION: f32 = 1e-8;

/// A network in fractions, with what a step needs of earlier steps.
pub struct Trainer {
    /// The numbers of the network, then the means of their slopes, then those of the squares.
    state: Vec<f32>,
    /// The numbers of the network that the parameters are.
    numbers: Vec<f32>,
    /// Where the vectors of the shapes of every group stand.
    places: Vec<[u16; 4]>,
    /// The number of steps taken.
    steps: u32,
    pool: rayon::ThreadPool,
    parts: Vec<Part>,
}

/// What a part of a step needs.
struct Part {
    example: Example,
    pass: Pass,
    slopes: Vec<f32>,
    measures: Measures,
    bad: Option<(usize, BadRow)>,
}

impl Part {
    fn new() -> Part {
        Part {
            example: Example::new(),
            pass: Pass::default(),
            slopes: vec![0.0; PARAMETERS],
            measures: Measures::default(),
            bad: None,
        }
    }
}

impl Trainer {
    /// A network that knows nothing but the table, on this number of threads; 0 is one per core.
    pub fn new(seed: u64, threads: usize) -> Result<Trainer, Halt> {
        let mut state = beginning(seed);
        state.resize(3 * PARAMETERS, 0.0);
        Trainer::of(state, 0, threads)
    }

    /// A network that goes on from this one, on this number of threads; 0 is one per core.
    pub fn start(network: &Network, threads: usize) -> Result<Trainer, Halt> {
        let mut state = quantize::parameters(network);
        state.resize(3 * PARAMETERS, 0.0);
        Trainer::of(state, 0, threads)
    }

    /// A network that was taught before: the numbers of [`Trainer::state`] and the steps. `None` if these are not as
    /// many as there should be.
    pub fn resume(state: Vec<f32>, steps: u32, threads: usize) -> Result<Option<Trainer>, Halt> {
        let is_sound = state.len() == 3 * PARAMETERS && state.iter().all(|number| number.is_finite());
        is_sound.then(|| Trainer::of(state, steps, threads)).transpose()
    }

    fn of(state: Vec<f32>, steps: u32, threads: usize) -> Result<Trainer, Halt> {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build()?;
        let places = shape_places();
        let mut numbers = Vec::new();
        folded(&state[..PARAMETERS], &places, &mut numbers);
        Ok(Trainer { state, numbers, places, steps, pool, parts: (0..PARTS).map(|_| Part::new()).collect() })
    }

    /// All that the next step depends on.
    #[must_use]
    pub fn state(&self) -> &[f32] {
        &self.state
    }

    /// The number of steps taken.
    #[must_use]
    pub fn steps(&self) -> u32 {
        self.steps
    }

    /// The network in whole numbers; `None` if a number is too great for its place.
    #[must_use]
    pub fn network(&self, recipe: String) -> Option<Network> {
        quantize::network(&self.numbers, recipe)
    }

    /// Learns from the rows of these numbers, in this order, `batch` of them a step of this size. `go_on` is asked
    /// after every step; if it says no, the steps taken so far stay.
    pub fn learn(
        &mut self,
        rows: &[SampleBytes],
        order: &[u32],
        (batch, rate): (usize, f32),
        lesson: &Lesson,
        go_on: &mut dyn FnMut() -> bool,
    ) -> Result<Measures, Halt> {
        let mut all = Measures::default();
        for order in order.chunks(batch.max(1)) {
            let measures = self.pass(rows, order, lesson, true)?;
            all.add(&measures);
            if measures.positions > 0.0 {
                self.step(1.0 / measures.positions as f32, rate);
            }
            if !go_on() {
                return Err(Halt::Stopped);
            }
        }
        Ok(all)
    }

    /// Measures the network on the rows of these numbers.
    pub fn measure(
        &mut self,
        rows: &[SampleBytes],
        order: &[u32],
        lesson: &Lesson,
        go_on: &mut dyn FnMut() -> bool,
    ) -> Result<Measures, Halt> {
        let mut all = Measures::default();
        for order in order.chunks(MEASURED_AT_ONCE) {
            all.add(&self.pass(rows, order, lesson, false)?);
            if !go_on() {
                return Err(Halt::Stopped);
            }
        }
        Ok(all)
    }

    /// Shows these rows to the network; the slopes of all parts are added up in the first if they are wanted.
    fn pass(
        &mut self,
        rows: &[SampleBytes],
        order: &[u32],
        lesson: &Lesson,
        with_slopes: bool,
    ) -> Result<Measures, Halt> {
        let numbers = &self.numbers;
        let size = order.len().div_ceil(PARTS).max(1);
        let parts = &mut self.parts;
        self.pool.install(|| {
            let shares = order.par_chunks(size).map(Some).chain(rayon::iter::repeat_n(None, PARTS));
            parts.par_iter_mut().zip(shares).for_each(|(part, share)| {
                part.run(numbers, rows, share.unwrap_or_default(), lesson, with_slopes);
            });
            if with_slopes {
                add_up(parts);
            }
        });
        let mut all = Measures::default();
        for part in parts.iter() {
            if let Some((index, bad)) = &part.bad {
                return Err(Halt::Bad(*index, bad.clone()));
            }
            all.add(&part.measures);
        }
        Ok(all)
    }

    /// One step of Adam, with the slopes multiplied by `slope_scale`.
    fn step(&mut self, slope_scale: f32, rate: f32) {
        self.steps += 1;
        let steps = self.steps.min(1 << 20) as i32;
        let (mean_scale, square_scale) =
            (1.0 / (1.0 - MEAN_SHARE.powi(steps)), 1.0 / (1.0 - SQUARE_SHARE.powi(steps)));
        let (parameters, moments) = self.state.split_at_mut(PARAMETERS);
        let (means, squares) = moments.split_at_mut(PARAMETERS);
        unfold(&mut self.parts[0].slopes, &self.places);
        let slopes = &self.parts[0].slopes;
        for i in 0..PARAMETERS {
            let slope = slope_scale * slopes[i];
            means[i] = MEAN_SHARE * means[i] + (1.0 - MEAN_SHARE) * slope;
            squares[i] = SQUARE_SHARE * squares[i] + (1.0 - SQUARE_SHARE) * slope * slope;
            let deviation = (square_scale * squares[i]).sqrt() + LEAST_DEVIATION;
            parameters[i] -= rate * mean_scale * means[i] / deviation;
        }
        clamp(parameters);
        folded(parameters, &self.places, &mut self.numbers);
    }
}

impl Part {
    fn run(
        &mut self,
        numbers: &[f32],
        rows: &[SampleBytes],
        order: &[u32],
        lesson: &Lesson,
        with_slopes: bool,
    ) {
        self.measures = Measures::default();
        self.bad = None;
        if with_slopes {
            self.slopes.fill(0.0);
        }
        for &index in order {
            match self.example.read(&rows[index as usize], lesson) {
                Ok(true) => self.show(numbers, lesson, with_slopes),
                Ok(false) => {}
                Err(error) => {
                    self.bad = Some((index as usize, error));
                    return;
                }
            }
        }
    }

    fn show(&mut self, numbers: &[f32], lesson: &Lesson, with_slopes: bool) {
        #[cfg(target_arch = "x86_64")]
        if is_x86_feature_detected!("avx2") {
            // SAFETY: the CPU has these instructions.
            unsafe { self.show_avx2(numbers, lesson, with_slopes) };
            return;
        }
        self.show_anywhere(numbers, lesson, with_slopes);
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2")]
    fn show_avx2(&mut self, numbers: &[f32], lesson: &Lesson, with_slopes: bool) {
        self.show_anywhere(numbers, lesson, with_slopes);
    }

    #[inline(always)]
    fn show_anywhere(&mut self, numbers: &[f32], lesson: &Lesson, with_slopes: bool) {
        let Part { example, pass, slopes, measures, .. } = self;
        pass.forward(numbers, example);
        pass.measure(example, measures);
        if with_slopes {
            pass.backward(numbers, example, lesson, slopes);
        }
    }
}

/// Adds the slopes of all parts up in those of the first, a range of numbers on each thread.
fn add_up(parts: &mut [Part]) {
    const RANGE: usize = 8_192;
    let (first, others) = parts.split_first_mut().expect("there are parts");
    first.slopes.par_chunks_mut(RANGE).enumerate().for_each(|(i, sums)| {
        for other in others.iter() {
            for (sum, slope) in sums.iter_mut().zip(&other.slopes[i * RANGE..]) {
                *sum += slope;
            }
        }
    });
}
