//! A metric of one's own in Rust: quick tricks, in hundredths. Build the module with
//!
//!     rustup target add wasm32-unknown-unknown
//!     rustc --edition 2024 --target wasm32-unknown-unknown --crate-type cdylib -O -C panic=abort -C strip=symbols quick_tricks.rs
//!
//! and use it: `dealer -U quick_tricks.wasm`, with `usereval(0, NS, 0)` for the side,
//! `usereval(0, NS, 1)` and `usereval(0, NS, 2)` for North and South, and `usereval(0, NS, spades, 0)` for
//! the side's spades. See docs/user-metrics.md for the interface.
#![no_std]

#[panic_handler]
fn panic(_: &core::panic::PanicInfo) -> ! {
    core::arch::wasm32::unreachable()
}

const ACE: u64 = 1 << 12;
const KING: u64 = 1 << 11;
const QUEEN: u64 = 1 << 10;

/// Returns the quick tricks of a suit in hundredths: AK 2, AQ 1 1/2, A 1, KQ 1, Kx 1/2.
fn quick_tricks(holding: u64) -> i32 {
    match (holding & ACE != 0, holding & KING != 0, holding & QUEEN != 0) {
        (true, true, _) => 200,
        (true, false, true) => 150,
        (true, false, false) => 100,
        (false, true, true) => 100,
        (false, true, false) if holding.count_ones() >= 2 => 50,
        _ => 0,
    }
}

/// # Safety
/// Called by the host with the addresses of a deal and of 128 results that are all 0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn evaluate(
    tag: i32,
    side: i32,
    deal: *const [u64; 4],
    results: *mut [i32; 128],
) -> i32 {
    if tag != 0 {
        return -1;
    }
    // SAFETY: the host passes valid, aligned pointers that do not overlap.
    let (deal, results) = unsafe { (&*deal, &mut *results) };
    for hand in 0..2 {
        let cards = deal[side as usize + 2 * hand];
        for suit in 0..4 {
            let tricks = quick_tricks(cards >> (13 * suit) & 0x1fff);
            results[0] += tricks;
            results[1 + hand] += tricks;
            results[32 + 8 * suit] += tricks;
        }
    }
    64
}
