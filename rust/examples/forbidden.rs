//! Prints the forbidden points of a game: `cargo run --example forbidden "f8 a1 g8 a3 h9 a5 h10 a7"`.

use renju::prelude::*;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let text = std::env::args().nth(1).unwrap_or_else(|| "f8 a1 g8 a3 h9 a5 h10 a7".to_owned());
    let game: Position = text.parse()?;
    println!("{game}");
    for (point, kind) in game.forbidden_points().iter() {
        println!("{point} is forbidden to black: {}", kind.name());
    }
    Ok(())
}
