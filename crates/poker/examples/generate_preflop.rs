//! Writes the embedded table of match-ups before the flop:
//! `cargo run --release -p croupier-poker --example generate_preflop`.

fn main() -> std::io::Result<()> {
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let bytes = croupier_poker::equity::preflop::generate(threads);
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/src/equity/preflop.bin");
    std::fs::write(path, &bytes)?;
    println!("{} bytes", bytes.len());
    Ok(())
}
