//! Looks for a forced win of the side to move: `cargo run --release --example solve "h8 a1 i8 a3 j8 a5" vct`.

use renju::prelude::*;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let game: Position = arguments.next().unwrap_or_else(|| "h8 a1 i8 a3 j8 a5".to_owned()).parse()?;
    let name = arguments.next().unwrap_or_else(|| "vcf".to_owned());
    let kind = WinKind::ALL.into_iter().find(|kind| kind.name() == name).ok_or("vcf, mise-vcf or vct")?;
    let limits = Limits { nodes: Some(1_000_000), ..Limits::default() };
    let question = Question { limits, ..Question::new(kind) };
    match Solver::default().prove(game.stones(), game.turn(), question) {
        Verdict::Proved(proof) => {
            verify(game.stones(), &proof, &mut || false)?;
            println!("{} wins with {}; the proof is verified", game.turn(), proof.tree.stone);
        }
        Verdict::Refuted { .. } => println!("{} has no {name}", game.turn()),
        Verdict::Unknown(limit) => println!("unknown: the limit of {} was hit", limit.name()),
    }
    Ok(())
}
