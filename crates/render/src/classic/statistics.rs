//! The lines at the very end of a run, and the classic progress meter.

use formats::number;
use session::{Calls, Origin, SolverCalls};

use crate::{Ending, RunContext};

/// Notice about turned boards: cards are shown as turned, values are computed for the deal of the script.
pub const TURNED: &str = "Boards are turned: hands, trix and parcontract as on the board, conditions and other values by the script's seats";

/// Writes the end-of-run statistics.
pub fn statistics(out: &mut Vec<u8>, run: &RunContext<'_>, ending: &Ending<'_>) {
    let (style, outcome, title) = (run.style, ending.outcome, &run.heading.title);
    if style.pages.captioned && !title.is_empty() {
        out.push(b'\n');
        out.extend_from_slice(title);
        out.push(b'\n');
    }
    out.extend_from_slice(b"Generated ");
    number::integer(out, ending.generated(run));
    out.extend_from_slice(b" hands\n");
    out.extend_from_slice(style.produced.as_bytes());
    number::integer(out, outcome.produced as i64);
    out.extend_from_slice(b" hands\n");
    out.extend_from_slice(origin(&outcome.origin).as_bytes());
    if run.heading.rotate_from.is_some() {
        out.extend_from_slice(TURNED.as_bytes());
        out.push(b'\n');
    }
    if let Some(seconds) = outcome.seconds {
        out.extend_from_slice(b"Time needed ");
        number::fixed(out, 8, 3, seconds);
        out.extend_from_slice(b" sec\n");
    }
    if ending.calls {
        solver_calls(out, &outcome.calls);
    }
}

fn origin(origin: &Origin) -> String {
    match origin {
        Origin::Seed(seed) => format!("Initial random seed {seed}\n"),
        Origin::Commitment(hash) => format!("Commitment SHA-256 {hash}\n"),
        Origin::Library {
            records,
            wraps,
            start,
        } => format!(
            "Library file records read {records}, Wrap Arounds={wraps}\n\
             Library file starting seed {start}\n"
        ),
        Origin::Given => String::new(),
    }
}

fn solver_calls(out: &mut Vec<u8>, calls: &SolverCalls) {
    let text = format!(
        "Tot Calls to DDS ={:6}, DDS Solve  Calls={:6} DDS_Par Calls={}\n\
         Tot Calls to GIB ={:6}, GIB Solve  Calls={:6}\n\
         Tot Calls to OPC ={:6}, OPC Calc   Calls={:6}\n\
         Tot Ask Query    ={:6}, UserServer Calls={:6}\n",
        calls.tricks.made,
        calls.tricks.computed,
        calls.par,
        // The native `tricks` is another name of `dds` and counted there.
        0,
        0,
        calls.opc.made,
        calls.opc.computed,
        calls.user.made,
        calls.user.computed,
    );
    out.extend_from_slice(text.as_bytes());
    // DealerV2 has no auctions.
    let Calls { made, computed } = calls.auctions;
    if made > 0 {
        let text = format!("Tot Ask Auction  ={made:6}, Auctions Bid    ={computed:6}\n");
        out.extend_from_slice(text.as_bytes());
    }
}

/// The classic progress meter: texts for standard error, each ending in a carriage return.
#[derive(Clone, Copy, Debug)]
pub struct Meter {
    wanted: i32,
}

impl Meter {
    /// Creates a meter for a run that produces `produce` deals.
    pub fn new(wanted: i64) -> Meter {
        Meter {
            wanted: wanted as i32,
        }
    }

    /// Returns the text before the first deal.
    pub fn start(&self) -> &'static str {
        "Calculating...  0% complete\r"
    }

    /// Returns the text after deal number `produced`, if the percentage has moved. The arithmetic is that
    /// of 32-bit integers, which wraps beyond 21 million deals.
    pub fn after(&self, produced: i64) -> Option<String> {
        let percent = |produced: i32| produced.wrapping_mul(100).checked_div(self.wanted);
        let now = percent(produced as i32)?;
        (now > percent((produced as i32).wrapping_sub(1))?)
            .then(|| format!("Calculating... {now:2}% complete\r"))
    }

    /// Returns the text after the last deal: blanks over the meter.
    pub fn end(&self) -> &'static str {
        "                                      \r"
    }
}
