//! Lets the engine play a game against itself: `cargo run --release --example play easy`.

use renju::prelude::*;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let name = std::env::args().nth(1).unwrap_or_else(|| "easy".to_owned());
    let level = Level::ALL.into_iter().find(|level| level.name() == name).ok_or("no level has this name")?;
    let mut engine = Engine::new(Params::of(level), 1 << 24, 1).ok_or("there is no memory for the table")?;
    let mut game: Position = "h8 h9 i9".parse()?;
    while game.outcome().is_none() {
        let limits = CallLimits { nodes: Some(5_000), ..CallLimits::default() };
        let answer = engine.best_move(&Query { limits, ..Query::of(&game) })?;
        println!("{} {} ({})", game.turn(), answer.best, answer.source.name());
        game.play(Move::Place(answer.best))?;
    }
    let reason = game.outcome().map_or("", |outcome| outcome.reason.name());
    println!("{game}\n{} moves, {reason}", game.ply());
    Ok(())
}
