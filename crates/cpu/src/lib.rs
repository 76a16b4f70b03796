//! Detection of processor features, for all crates.
//!
//! Dealing, evaluation and poker have code for several kinds of registers, with equal results. [`CpuPath::best`] returns
//! the one to use: the widest that the processor has, unless the program has selected another with [`CpuPath::choose`].
//! Libraries do not read the environment; a program that supports [`VARIABLE`] reads it itself.
//!
//! ```
//! use croupier_cpu::CpuPath;
//!
//! assert!(CpuPath::Portable.is_available());
//! let wanted: CpuPath = "portable".parse()?;
//! wanted.choose()?;
//! assert_eq!(CpuPath::best(), CpuPath::Portable);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
#![forbid(unsafe_code)]

use std::error::Error;
use std::fmt;
use std::str::FromStr;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU8, Ordering};

/// The environment variable with which the user of a program selects the path: `portable`, `neon`, `avx2` or `avx512`.
pub const VARIABLE: &str = "CROUPIER_CPU";

/// A kind of registers to compute with. Results are the same on every path; only the time differs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum CpuPath {
    /// Plain code, on every processor.
    Portable = 0,
    /// 128-bit registers of AArch64.
    Neon = 1,
    /// 256-bit registers of x86-64.
    Avx2 = 2,
    /// 512-bit registers of x86-64 with F, BW, VBMI and BITALG: Ice Lake, Zen 4 and later. The processors before
    /// these lower their clock for 512-bit work, and AVX2 is as fast there.
    Avx512 = 3,
}

impl CpuPath {
    /// All paths, the widest last, whether or not this processor has them.
    pub const ALL: [CpuPath; 4] = [
        CpuPath::Portable,
        CpuPath::Neon,
        CpuPath::Avx2,
        CpuPath::Avx512,
    ];

    /// Returns the name of the path.
    #[must_use]
    pub const fn name(self) -> &'static str {
        ["portable", "neon", "avx2", "avx512"][self as usize]
    }

    /// Returns whether this processor supports the path.
    #[must_use]
    pub fn is_available(self) -> bool {
        match self {
            CpuPath::Portable => true,
            #[cfg(target_arch = "x86_64")]
            CpuPath::Avx2 => std::is_x86_feature_detected!("avx2"),
            #[cfg(target_arch = "x86_64")]
            CpuPath::Avx512 => {
                std::is_x86_feature_detected!("avx2")
                    && std::is_x86_feature_detected!("avx512f")
                    && std::is_x86_feature_detected!("avx512bw")
                    && std::is_x86_feature_detected!("avx512vbmi")
                    && std::is_x86_feature_detected!("avx512bitalg")
            }
            #[cfg(target_arch = "aarch64")]
            CpuPath::Neon => std::arch::is_aarch64_feature_detected!("neon"),
            #[allow(unreachable_patterns, reason = "what another architecture has")]
            _ => false,
        }
    }

    /// Returns the paths of this processor, the widest last.
    #[must_use]
    pub fn available() -> Vec<CpuPath> {
        let has = |path: &CpuPath| path.is_available();
        CpuPath::ALL.into_iter().filter(has).collect()
    }

    /// Returns the path to use: the chosen one, or else the widest of the processor.
    #[must_use]
    pub fn best() -> CpuPath {
        let chosen = CHOSEN.load(Ordering::Relaxed);
        match CpuPath::ALL.get(usize::from(chosen)) {
            Some(&path) => path,
            None => widest(),
        }
    }

    /// Selects this path for the whole process from now on.
    ///
    /// # Errors
    /// If the processor does not support it.
    pub fn choose(self) -> Result<(), Unavailable> {
        if !self.is_available() {
            return Err(Unavailable(self));
        }
        CHOSEN.store(self as u8, Ordering::Relaxed);
        Ok(())
    }
}

/// The number of the chosen path, or one that no path has.
static CHOSEN: AtomicU8 = AtomicU8::new(u8::MAX);

fn widest() -> CpuPath {
    static WIDEST: OnceLock<CpuPath> = OnceLock::new();
    *WIDEST.get_or_init(|| CpuPath::available().pop().unwrap_or(CpuPath::Portable))
}

impl fmt::Display for CpuPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for CpuPath {
    type Err = UnknownPath;

    /// Reads the name of a path, in either case.
    fn from_str(text: &str) -> Result<CpuPath, UnknownPath> {
        CpuPath::ALL
            .into_iter()
            .find(|path| path.name().eq_ignore_ascii_case(text.trim()))
            .ok_or_else(|| UnknownPath(text.to_owned()))
    }
}

/// A word that is not the name of a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownPath(String);

impl fmt::Display for UnknownPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{:?} is not a kind of processor; choose portable, neon, avx2 or avx512",
            self.0
        )
    }
}

impl Error for UnknownPath {}

/// A path that this processor does not have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unavailable(pub CpuPath);

impl fmt::Display for Unavailable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<&str> = CpuPath::available()
            .iter()
            .map(|path| path.name())
            .collect();
        let names = names.join(", ");
        write!(f, "this processor has no {}; it has {names}", self.0)
    }
}

impl Error for Unavailable {}

/// Declares types whose values prove that the processor has a path.
macro_rules! proofs {
    ($($(#[$doc:meta])* $name:ident)*) => { $(
        $(#[$doc])*
        ///
        /// A value exists only if the processor has the path, so code with a value may use its instructions.
        #[derive(Clone, Copy, Debug)]
        pub struct $name(());

        impl $name {
            /// Returns a value if this processor has the path.
            #[must_use]
            pub fn detect() -> Option<$name> {
                CpuPath::$name.is_available().then_some($name(()))
            }
        }
    )* };
}

proofs! {
    /// The proof that the processor supports [`CpuPath::Neon`].
    Neon
    /// The proof that the processor supports [`CpuPath::Avx2`].
    Avx2
    /// The proof that the processor supports [`CpuPath::Avx512`].
    Avx512
}

/// Returns whether the processor has the instructions of the fast double-dummy search: AVX2, BMI1, BMI2, LZCNT and POPCNT,
/// with PEXT and PDEP in hardware.
#[must_use]
pub fn has_fast_bits() -> bool {
    #[cfg(target_arch = "x86_64")]
    {
        std::is_x86_feature_detected!("avx2")
            && std::is_x86_feature_detected!("lzcnt")
            && has_pdep()
            && pdep_is_hardware()
    }
    #[cfg(not(target_arch = "x86_64"))]
    false
}

/// Returns whether the processor has PDEP (BMI1, BMI2 and POPCNT), in hardware or in slow microcode.
#[must_use]
pub fn has_pdep() -> bool {
    #[cfg(target_arch = "x86_64")]
    {
        std::is_x86_feature_detected!("bmi1")
            && std::is_x86_feature_detected!("bmi2")
            && std::is_x86_feature_detected!("popcnt")
    }
    #[cfg(not(target_arch = "x86_64"))]
    false
}

/// Returns whether the processor has [`CpuPath::Avx512`] and VL, but executes 512-bit instructions in two halves (Zen 4).
/// There AVX-512 instructions on 256-bit registers are faster.
#[must_use]
pub fn works_in_halves() -> bool {
    #[cfg(target_arch = "x86_64")]
    {
        static HALVES: OnceLock<bool> = OnceLock::new();
        *HALVES.get_or_init(|| {
            CpuPath::Avx512.is_available()
                && std::is_x86_feature_detected!("avx512vl")
                && Model::of_this_machine().works_in_halves()
        })
    }
    #[cfg(not(target_arch = "x86_64"))]
    false
}

/// Returns whether the processor can compress 16-bit values of 512-bit registers (AVX-512 F, BW and VBMI2, POPCNT).
#[must_use]
pub fn has_compress() -> bool {
    #[cfg(target_arch = "x86_64")]
    {
        std::is_x86_feature_detected!("avx512f")
            && std::is_x86_feature_detected!("avx512bw")
            && std::is_x86_feature_detected!("avx512vbmi2")
            && std::is_x86_feature_detected!("popcnt")
    }
    #[cfg(not(target_arch = "x86_64"))]
    false
}

/// Returns whether the processor can permute the bytes of a 128-bit register (SSSE3, POPCNT).
#[must_use]
pub fn has_byte_shuffle() -> bool {
    #[cfg(target_arch = "x86_64")]
    {
        std::is_x86_feature_detected!("ssse3") && std::is_x86_feature_detected!("popcnt")
    }
    #[cfg(not(target_arch = "x86_64"))]
    false
}

/// Returns whether PDEP should be used: the processor has it, not in microcode (AMD before Zen 3, hundreds of cycles),
/// and the portable path was not selected.
#[must_use]
pub fn pdep_is_fast() -> bool {
    static FAST: OnceLock<bool> = OnceLock::new();
    CpuPath::best() != CpuPath::Portable && *FAST.get_or_init(|| has_pdep() && pdep_is_hardware())
}

#[cfg(target_arch = "x86_64")]
fn pdep_is_hardware() -> bool {
    Model::of_this_machine().has_fast_pdep()
}

#[cfg(not(target_arch = "x86_64"))]
fn pdep_is_hardware() -> bool {
    false
}

/// The vendor and family of a processor.
#[cfg(any(test, target_arch = "x86_64"))]
struct Model {
    amd: bool,
    family: u32,
}

#[cfg(any(test, target_arch = "x86_64"))]
impl Model {
    #[cfg(target_arch = "x86_64")]
    fn of_this_machine() -> Model {
        use std::arch::x86_64::__cpuid;
        let vendor = __cpuid(0);
        let signature = __cpuid(1).eax;
        Model::new([vendor.ebx, vendor.edx, vendor.ecx], signature)
    }

    /// Creates the model with this vendor text and signature (CPUID leaf 1, EAX).
    fn new(vendor: [u32; 3], signature: u32) -> Model {
        let text: Vec<u8> = vendor.iter().flat_map(|part| part.to_le_bytes()).collect();
        let base_family = signature >> 8 & 0xf;
        let family = if base_family == 0xf {
            base_family + (signature >> 20 & 0xff)
        } else {
            base_family
        };
        Model {
            amd: matches!(text.as_slice(), b"AuthenticAMD" | b"HygonGenuine"),
            family,
        }
    }

    /// Returns whether PDEP, if the processor has it, is done in hardware. Family 19h is Zen 3; Hygon's 18h is a Zen 1.
    fn has_fast_pdep(&self) -> bool {
        !self.amd || self.family >= 0x19
    }

    /// Returns whether the processor executes 512-bit instructions, if it has them, in two halves. Family 19h is Zen 3
    /// and Zen 4, and Zen 3 has none.
    fn works_in_halves(&self) -> bool {
        self.amd && self.family == 0x19
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_back_and_wrong_ones_refused() {
        for path in CpuPath::ALL {
            assert_eq!(path.to_string().to_uppercase().parse(), Ok(path));
        }
        let error = "sse9".parse::<CpuPath>().unwrap_err();
        assert!(error.to_string().contains("portable, neon, avx2"));
    }

    #[test]
    fn a_path_the_processor_lacks_cannot_be_chosen() {
        for path in CpuPath::ALL {
            if !path.is_available() {
                assert_eq!(path.choose(), Err(Unavailable(path)));
            }
        }
        assert!(CpuPath::best().is_available());
        assert_eq!(CpuPath::best(), *CpuPath::available().last().unwrap());
    }

    #[test]
    fn pdep_is_avoided_on_amd_before_zen_3() {
        let vendor = |text: &[u8; 12]| {
            std::array::from_fn(|i| {
                u32::from_le_bytes([
                    text[4 * i],
                    text[4 * i + 1],
                    text[4 * i + 2],
                    text[4 * i + 3],
                ])
            })
        };
        let amd = vendor(b"AuthenticAMD");
        assert!(
            !Model::new(amd, 0x0060_0f20).has_fast_pdep(),
            "family 15h, Piledriver"
        );
        assert!(
            !Model::new(amd, 0x0080_0f11).has_fast_pdep(),
            "family 17h, Zen"
        );
        assert!(
            !Model::new(amd, 0x0087_0f10).has_fast_pdep(),
            "family 17h, Zen 2"
        );
        assert!(
            Model::new(amd, 0x00a2_0f10).has_fast_pdep(),
            "family 19h, Zen 3"
        );
        assert!(
            Model::new(amd, 0x00b4_0f40).has_fast_pdep(),
            "family 1Ah, Zen 5"
        );
        assert!(!Model::new(vendor(b"HygonGenuine"), 0x0090_0f00).has_fast_pdep());
        assert!(
            Model::new(vendor(b"GenuineIntel"), 0x0003_06c3).has_fast_pdep(),
            "Haswell"
        );
        assert!(
            Model::new(amd, 0x00a1_0f11).works_in_halves(),
            "family 19h, Zen 4"
        );
        assert!(
            !Model::new(amd, 0x00b4_0f40).works_in_halves(),
            "family 1Ah, Zen 5"
        );
        assert!(
            !Model::new(vendor(b"GenuineIntel"), 0x0006_06a6).works_in_halves(),
            "Ice Lake"
        );
    }
}
