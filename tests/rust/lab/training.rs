//! A network that learns: it gets better, comes to the same numbers on any number of threads and after a break, and is
//! the same in whole numbers.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use renju::batch::Evaluator;
use renju::lab::{
    Halt, Lesson, Measures, Player, Sample, SampleBytes, SelfPlay, Trainer, opening_keys, play_game,
};
use renju::network::Network;
use renju::search::{Level, Params};

const LESSON: Lesson =
    Lesson { result_share: 0.5, score_scale: 200.0, policy_weight: 0.15, draw_weight: 0.2 };

/// Positions of some short games.
fn rows(games: u32) -> Vec<SampleBytes> {
    let options = SelfPlay {
        params: Params::of(Level::Master),
        values: None,
        network: None,
        nodes: 100,
        hash_bytes: 1 << 16,
        least_opening_stones: 4,
        most_opening_stones: 8,
        opening_nodes: 100,
        opening_bound: 200,
        random_permille: 30,
        beside: 1,
        most_stones: 120,
        seed: 5,
    };
    let mut player = Player::new(&options).expect("some memory");
    let stop = AtomicBool::new(false);
    (0..games)
        .flat_map(|game| play_game(&mut player, &options, game, &stop).expect("nobody stops it"))
        .map(|sample| sample.encode())
        .collect()
}

fn order(rows: &[SampleBytes]) -> Vec<u32> {
    (0..rows.len() as u32).collect()
}

fn learn(trainer: &mut Trainer, rows: &[SampleBytes], times: usize) -> Measures {
    let mut last = Measures::default();
    for _ in 0..times {
        last =
            trainer.learn(rows, &order(rows), (128, 0.004), &LESSON, &mut || true).expect("sound positions");
    }
    last
}

#[test]
fn what_is_learnt_does_not_depend_on_threads_or_breaks() {
    let rows = rows(12);
    let mut alone = Trainer::new(7, 1).expect("a thread");
    let mut together = Trainer::new(7, 3).expect("threads");
    assert!(alone.state() == together.state());
    assert_eq!(learn(&mut alone, &rows, 1), learn(&mut together, &rows, 1));
    assert!(alone.state() == together.state());
    let mut resumed = Trainer::resume(together.state().to_vec(), together.steps(), 2)
        .expect("threads")
        .expect("as many numbers as there should be");
    learn(&mut alone, &rows, 1);
    learn(&mut resumed, &rows, 1);
    assert!(alone.state() == resumed.state());
    assert_eq!(alone.steps(), resumed.steps());
    assert!(Trainer::resume(vec![0.0; 3], 1, 1).expect("threads").is_none());
    let mut wrong = alone.state().to_vec();
    wrong[5] = f32::NAN;
    assert!(Trainer::resume(wrong, 1, 1).expect("threads").is_none());
}

#[test]
fn a_network_learns_and_is_the_same_in_whole_numbers() {
    let rows = rows(40);
    let mut trainer = Trainer::new(1, 0).expect("threads");
    let before = trainer.measure(&rows, &order(&rows), &LESSON, &mut || true).expect("sound positions");
    assert_eq!(before.value_loss, before.table_loss, "it begins with the table alone");
    learn(&mut trainer, &rows, 40);
    let after = trainer.measure(&rows, &order(&rows), &LESSON, &mut || true).expect("sound positions");
    assert!(after.positions > 500.0 && after.positions == before.positions);
    assert!(after.value_loss < 0.97 * before.value_loss, "{after:?} {before:?}");
    assert!(after.policy_loss < before.policy_loss && after.draw_loss < before.draw_loss);

    // The whole numbers lose little: the loss by the file is that by the fractions.
    let network = Arc::new(trainer.network("a test".to_owned()).expect("numbers within their bounds"));
    let network = Arc::new(Network::from_bytes(&network.to_bytes()).expect("what was written"));
    let mut evaluator = Evaluator::new(&network);
    let (mut loss, mut count) = (0.0, 0.0);
    for row in rows.iter().map(|row| Sample::decode(row).expect("a position")) {
        if row.score_only || row.source == renju::search::Source::Vcf {
            continue;
        }
        let mut cells = [0; 225];
        renju::batch::write_cells(&row.stones, &mut cells);
        let mut chances = [0.0; 3];
        evaluator.outlook(&cells, Some(row.turn), &mut chances).expect("a board");
        assert!((chances.iter().sum::<f32>() - 1.0).abs() < 1e-5);
        let result = f64::from(row.result + 1) / 2.0;
        let chance = f64::from((chances[0] / (chances[0] + chances[2])).clamp(1e-6, 1.0 - 1e-6));
        loss -= result * chance.ln() + (1.0 - result) * (1.0 - chance).ln();
        count += 1.0;
    }
    let fractions = after.result_loss / after.results;
    // Positions that the engine never values are in one of the two means only.
    assert!((loss / count - fractions).abs() < 0.15, "{} {fractions}", loss / count);
}

#[test]
fn it_stops_when_told_and_names_a_bad_row() {
    let mut rows = rows(4);
    let mut trainer = Trainer::new(1, 2).expect("threads");
    let stopped = trainer.learn(&rows, &order(&rows), (16, 0.001), &LESSON, &mut || false);
    assert!(matches!(stopped, Err(Halt::Stopped)));
    assert_eq!(trainer.steps(), 1);
    rows[17][0] = 9;
    let bad = trainer.measure(&rows, &order(&rows), &LESSON, &mut || true);
    assert!(matches!(bad, Err(Halt::Bad(17, _))), "{bad:?}");
}

#[test]
fn rows_of_a_game_share_the_key_of_their_opening() {
    let rows = rows(6);
    let keys = opening_keys(&rows).expect("sound positions");
    let games: Vec<u32> = rows.iter().map(|row| Sample::decode(row).expect("a position").game).collect();
    let mut by_game = std::collections::BTreeMap::new();
    for (game, key) in games.iter().zip(&keys) {
        assert_eq!(by_game.entry(game).or_insert(key), &key);
    }
    assert!(by_game.len() == 6);
    // An image of the opening has the same key.
    let first = Sample::decode(&rows[0]).expect("a position");
    for symmetry in renju::types::Symmetry::ALL {
        let best = symmetry.point(first.best);
        let image = Sample { stones: first.stones.transformed(symmetry), best, ..first };
        assert_eq!(opening_keys(&[image.encode()]).expect("a position")[0], keys[0]);
    }
}
