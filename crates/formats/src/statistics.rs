//! The lines at the very end of a run, and the classic progress meter.

use crate::number;
use crate::style::Style;

/// Where the deals came from, for the lines that depend on it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Origin {
    /// A random generator with this seed: a number, or `key:` and hexadecimal digits.
    Seed(String),
    /// The tournament-grade generator: the hash that its secret key was promised by.
    Commitment(String),
    /// A library of solved deals.
    Library {
        /// Deals read; header records do not count.
        records: u64,
        /// How often the end of the file was reached.
        wraps: u64,
        /// The block number that reading started at.
        start: u64,
    },
    /// Deals from a file or a pipe: neither seed nor library.
    File,
}

/// What happened in a run.
#[derive(Clone, Debug)]
pub struct Statistics<'a> {
    /// The title; empty for none.
    pub title: &'a [u8],
    /// Deals dealt, as the dialect counts them (see [`Style::generated`]).
    pub generated: i64,
    /// Deals that satisfied the condition.
    pub produced: i64,
    /// Where they came from.
    pub origin: Origin,
    /// Wall-clock time of the run.
    pub seconds: f64,
    /// The counts of `-D 2`, if they were asked for.
    pub calls: Option<SolverCalls>,
}

/// How often the expensive functions were asked and how often they had to work.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SolverCalls {
    /// Questions for double-dummy tricks, and those that were solved.
    pub dds: (u64, u64),
    /// Questions for par.
    pub par: u64,
    /// Questions for `tricks`, and those that were solved.
    pub gib: (u64, u64),
    /// Questions for `opc`, and those that were computed.
    pub opc: (u64, u64),
    /// Questions for `usereval`, and those that went to the server.
    pub user: (u64, u64),
}

/// Writes the end-of-run statistics.
pub fn statistics(out: &mut Vec<u8>, style: &Style, run: &Statistics) {
    if style.captioned && !run.title.is_empty() {
        out.push(b'\n');
        out.extend_from_slice(run.title);
        out.push(b'\n');
    }
    out.extend_from_slice(b"Generated ");
    number::integer(out, run.generated);
    out.extend_from_slice(b" hands\n");
    out.extend_from_slice(style.produced.as_bytes());
    number::integer(out, run.produced);
    out.extend_from_slice(b" hands\n");
    match &run.origin {
        Origin::Seed(seed) => {
            out.extend_from_slice(format!("Initial random seed {seed}\n").as_bytes())
        }
        Origin::Commitment(hash) => {
            out.extend_from_slice(format!("Commitment SHA-256 {hash}\n").as_bytes())
        }
        Origin::Library {
            records,
            wraps,
            start,
        } => out.extend_from_slice(
            format!(
                "Library file records read {records}, Wrap Arounds={wraps}\n\
                 Library file starting seed {start}\n"
            )
            .as_bytes(),
        ),
        Origin::File => {}
    }
    out.extend_from_slice(b"Time needed ");
    number::fixed(out, 8, 3, run.seconds);
    out.extend_from_slice(b" sec\n");
    if let Some(calls) = &run.calls {
        solver_calls(out, calls);
    }
}

fn solver_calls(out: &mut Vec<u8>, calls: &SolverCalls) {
    let text = format!(
        "Tot Calls to DDS ={:6}, DDS Solve  Calls={:6} DDS_Par Calls={}\n\
         Tot Calls to GIB ={:6}, GIB Solve  Calls={:6}\n\
         Tot Calls to OPC ={:6}, OPC Calc   Calls={:6}\n\
         Tot Ask Query    ={:6}, UserServer Calls={:6}\n",
        calls.dds.0,
        calls.dds.1,
        calls.par,
        calls.gib.0,
        calls.gib.1,
        calls.opc.0,
        calls.opc.1,
        calls.user.0,
        calls.user.1,
    );
    out.extend_from_slice(text.as_bytes());
}

/// The classic progress meter: texts for standard error, each ending in a carriage return.
#[derive(Clone, Copy, Debug)]
pub struct Meter {
    wanted: i32,
}

impl Meter {
    /// A meter for a run that wants this many deals.
    pub fn new(wanted: i64) -> Meter {
        Meter {
            wanted: wanted as i32,
        }
    }

    /// The text before the first deal.
    pub fn start(&self) -> &'static str {
        "Calculating...  0% complete\r"
    }

    /// The text after deal number `produced`, if the percentage has moved. The arithmetic is that
    /// of 32-bit integers, which wraps beyond 21 million deals.
    pub fn after(&self, produced: i64) -> Option<String> {
        let percent = |produced: i32| produced.wrapping_mul(100).checked_div(self.wanted);
        let now = percent(produced as i32)?;
        (now > percent((produced as i32).wrapping_sub(1))?)
            .then(|| format!("Calculating... {now:2}% complete\r"))
    }

    /// The text after the last deal: blanks over the meter.
    pub fn end(&self) -> &'static str {
        "                                      \r"
    }
}
