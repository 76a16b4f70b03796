//! Every place where strangers feed croupier, as a function of bytes.
//!
//! A [`Surface`] has a function that takes any bytes and panics if a promise is broken; seeds made from our own
//! vectors, examples and writers; and the words that matter to it. Three things use them: the ordinary tests of this
//! crate (the regression corpus, the seeds and a short run of the [mutator](Mutator)), the program `surfaces` (as long
//! a run as one likes, on any compiler), and the targets of cargo-fuzz in `fuzz/`.
//!
//! ```
//! let shapes = surfaces::find("shapes").unwrap();
//! // An answer or an error: both are fine, and different.
//! assert_ne!((shapes.feed)(b"5M(332)"), (shapes.feed)(b"5M(33"));
//! ```

mod mutator;
mod observed;
pub mod run;
pub mod seeds;
mod surface;

pub use mutator::Mutator;
pub use surface::bomb;

/// A place where strangers feed croupier.
pub struct Surface {
    /// What it is called on command lines and in folders.
    pub name: &'static str,
    /// What is fed, and what must hold whatever is fed.
    pub about: &'static str,
    /// Takes the bytes in. Panics if a promise is broken. The number says what kind of answer came out: a mutator that
    /// keeps inputs with new kinds of answers gets further into the code.
    pub feed: fn(&[u8]) -> u64,
    /// Inputs to begin with.
    pub seeds: fn() -> Vec<Vec<u8>>,
    /// Words that are likely to matter.
    pub words: fn() -> Vec<String>,
    /// Mutated inputs in an ordinary run of the tests: a second or two.
    pub inputs: u64,
}

/// All surfaces.
pub fn all() -> impl Iterator<Item = &'static Surface> {
    surface::ALL.iter().copied()
}

/// The surface of this name.
#[must_use]
pub fn find(name: &str) -> Option<&'static Surface> {
    all().find(|surface| surface.name == name)
}
