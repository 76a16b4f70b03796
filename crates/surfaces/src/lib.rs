//! Every entry point for untrusted input, as a function of bytes.
//!
//! A [`Surface`] has a function that takes any bytes and panics if a guarantee is violated, seeds made from test
//! vectors, examples and the project's own writers, and a dictionary of relevant words. Three programs use them: the
//! tests of this crate (the regression corpus, the seeds and a short run of the [mutator](Mutator)), the program
//! `surfaces` (a run of any length, on any compiler), and the targets of cargo-fuzz in `fuzz/`.
//!
//! ```
//! let shapes = croupier_surfaces::find("shapes").unwrap();
//! // An answer and an error are both fine, and have different numbers.
//! assert_ne!((shapes.feed)(b"5M(332)"), (shapes.feed)(b"5M(33"));
//! ```

mod mutator;
mod observed;
pub mod run;
pub mod seeds;
mod surface;

pub use mutator::Mutator;
pub use surface::bomb;

/// An entry point for untrusted input.
pub struct Surface {
    /// Name on command lines and of folders.
    pub name: &'static str,
    /// The input, and the guarantees that must hold for every input.
    pub about: &'static str,
    /// Processes the bytes and panics if a guarantee is violated. The returned number identifies the class of the
    /// answer: a mutator that keeps inputs with new classes reaches more code.
    pub feed: fn(&[u8]) -> u64,
    /// Returns the initial inputs.
    pub seeds: fn() -> Vec<Vec<u8>>,
    /// Returns words that are likely to matter.
    pub words: fn() -> Vec<String>,
    /// Number of mutated inputs in an ordinary test run: a second or two.
    pub inputs: u64,
}

/// Returns all surfaces.
pub fn all() -> impl Iterator<Item = &'static Surface> {
    surface::ALL.iter().copied()
}

/// Returns the surface named `name`.
#[must_use]
pub fn find(name: &str) -> Option<&'static Surface> {
    all().find(|surface| surface.name == name)
}
