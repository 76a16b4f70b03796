//! Writes `web/src/engine/types.ts`, the types of the page.

fn main() -> std::io::Result<()> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../web/src/engine/types.ts");
    std::fs::write(path, croupier_api::typescript::types())
}
