//! Writes the embedded tables: `cargo run --release -p croupier-poker --example generate_tables`.

use croupier_poker::reference;
use croupier_poker::tables::generate::Generated;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let generated = Generated::new(reference::standard()).ok_or("a displacement does not fit")?;
    println!("slot and product values: {:?}", generated.value_counts());
    let bytes = generated.to_bytes();
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/src/tables/tables.bin");
    std::fs::write(path, &bytes)?;
    println!("{} bytes", bytes.len());
    Ok(())
}
