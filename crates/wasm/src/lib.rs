//! The WebAssembly modules for browsers, one for each part of the engine. The environment variable `CROUPIER_PART` of the
//! build names the part; the linker leaves out the code of the others.
//!
//! Three functions over linear memory, so that no generated JavaScript is needed: `take` allocates memory for a
//! request, `call` answers it, `release` frees the answer. A request is a line with its name, then a JSON object. An
//! answer is its length in four bytes, `+`, or `-` for an error, and a JSON object. The browser provides functions for
//! random bytes, for the message of a panic, and for the events of a run.
//!
//! Every worker has an instance of its own, without shared memory. A run is divided by deal numbers: `run-open` returns
//! whether that is possible, `run-part` computes a part, `run-join` merges the parts.

mod runs;

use api::questions::{EnginePart, PARTS};
use api::{RequestError, RequestLimits};

/// The part of the engine in this module.
const PART: EnginePart = part_named(match option_env!("CROUPIER_PART") {
    Some(name) => name,
    None => "core",
});

/// Whether this module runs scripts.
const RUNS_SCRIPTS: bool = is_equal(PART.name, "core");

/// Returns a copy of the part with this name. A reference to an item of [`PARTS`] would link the code of all parts.
const fn part_named(name: &str) -> EnginePart {
    let mut place = 0;
    while place < PARTS.len() {
        if is_equal(PARTS[place].name, name) {
            return PARTS[place];
        }
        place += 1;
    }
    panic!("CROUPIER_PART names no part of the engine")
}

const fn is_equal(one: &str, other: &str) -> bool {
    let (one, other) = (one.as_bytes(), other.as_bytes());
    let mut place = 0;
    while place < one.len() && place < other.len() && one[place] == other[place] {
        place += 1;
    }
    place == one.len() && place == other.len()
}

/// Robots for studies of scripts that depend on auctions. They are large, so the modules that every visitor loads lack them.
const ROBOTS: Option<api::limits::RequestRobots> = match is_equal(PART.name, "card-play") {
    true => Some(api::auction::built_in_robots),
    false => None,
};

/// Returns the limits of the page. They are wide, because the page uses only the user's own computer.
fn limits() -> RequestLimits {
    RequestLimits {
        solver_memory: 96,
        exact_work: 3e7,
        poker_samples: 4_000_000,
        robots: ROBOTS,
        ..RequestLimits::default()
    }
}

/// Answers a request: a line with its name, then a JSON object.
///
/// # Errors
/// If the request is invalid or fails.
pub fn answer(question: &str) -> Result<String, RequestError> {
    let (name, body) = question.split_once('\n').ok_or_else(|| {
        RequestError::request("a question is a name, a line end and a JSON object")
    })?;
    match name {
        "run-open" if RUNS_SCRIPTS => runs::open(body, &limits()),
        "run-part" if RUNS_SCRIPTS => runs::part(body, &limits()),
        "run-join" if RUNS_SCRIPTS => runs::join(body, &limits()),
        "run-whole" if RUNS_SCRIPTS => runs::whole(body, &limits()),
        name => PART.answer(name, body, &limits()),
    }
}

/// Returns the answer in its memory layout.
#[must_use]
pub fn packed(answer: Result<String, RequestError>) -> Box<[u8]> {
    let (mark, text) = match answer {
        Ok(text) => (b'+', text),
        Err(problem) => (b'-', serde_json::to_string(&problem).unwrap_or_default()),
    };
    let length = u32::try_from(text.len() + 1).unwrap_or(u32::MAX);
    let mut bytes = Vec::with_capacity(text.len() + 5);
    bytes.extend_from_slice(&length.to_le_bytes());
    bytes.push(mark);
    bytes.extend_from_slice(text.as_bytes());
    bytes.into_boxed_slice()
}

#[cfg(target_arch = "wasm32")]
mod browser {
    //! Functions that the browser and the module call in each other.

    use std::sync::Once;

    #[link(wasm_import_module = "croupier")]
    unsafe extern "C" {
        /// Fills memory with random bytes.
        safe fn entropy(at: *mut u8, bytes: usize);
        /// Receives the message of a panic before the instance stops.
        safe fn complain(at: *const u8, bytes: usize);
        /// Receives an event of a run. Returns 1 if the run shall stop, otherwise 0.
        safe fn tell(at: *const u8, bytes: usize) -> i32;
    }

    /// Sends an event of a run to the browser. Returns whether the run shall stop.
    pub fn send_event(event: &str) -> bool {
        tell(event.as_ptr(), event.len()) == 1
    }

    /// Random bytes from the browser, for `getrandom`.
    ///
    /// # Safety
    /// `bytes` bytes of the memory must be writable.
    #[unsafe(no_mangle)]
    unsafe extern "Rust" fn __getrandom_v03_custom(
        at: *mut u8,
        bytes: usize,
    ) -> Result<(), getrandom::Error> {
        entropy(at, bytes);
        Ok(())
    }

    /// Allocates memory for a request of `bytes` bytes.
    #[unsafe(no_mangle)]
    pub extern "C" fn take(bytes: usize) -> *mut u8 {
        static PANIC_HOOK: Once = Once::new();
        PANIC_HOOK.call_once(|| {
            std::panic::set_hook(Box::new(|panic| {
                let text = panic.to_string();
                complain(text.as_ptr(), text.len());
            }));
        });
        Box::into_raw(vec![0_u8; bytes].into_boxed_slice()).cast()
    }

    /// Answers the request in `room` and frees `room`.
    ///
    /// # Safety
    /// `room` must come from [`take`] with an equal `bytes`, and must not be used again.
    #[unsafe(no_mangle)]
    pub unsafe extern "C" fn call(room: *mut u8, bytes: usize) -> *mut u8 {
        // SAFETY: the caller returns a pointer of `take`, which came from a box of `bytes` bytes.
        let question = unsafe { Box::from_raw(std::ptr::slice_from_raw_parts_mut(room, bytes)) };
        let question = String::from_utf8_lossy(&question).into_owned();
        let answer = super::packed(super::answer(&question));
        Box::into_raw(answer).cast()
    }

    /// Frees an answer.
    ///
    /// # Safety
    /// `answer` must come from [`call`] and must not be used again.
    #[unsafe(no_mangle)]
    pub unsafe extern "C" fn release(answer: *mut u8) {
        // SAFETY: an answer begins with its length in four bytes, and came from a box of that length plus four.
        unsafe {
            let length = answer.cast::<u32>().read_unaligned() as usize;
            drop(Box::from_raw(std::ptr::slice_from_raw_parts_mut(
                answer,
                length + 4,
            )));
        }
    }
}

#[cfg(not(target_arch = "wasm32"))]
mod browser {
    //! Substitute for other targets, for which the crate is built only to test it.

    /// Ignores the event.
    pub fn send_event(_: &str) -> bool {
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_question_and_its_answer() {
        let bytes = packed(answer("shapes\n{\"pattern\":\"5M(332)\"}"));
        let length = u32::from_le_bytes(bytes[..4].try_into().unwrap()) as usize;
        assert_eq!(bytes.len(), length + 4);
        assert_eq!(bytes[4], b'+');
        assert!(packed(answer("shapes"))[4] == b'-');
        assert!(packed(answer("nothing\n{}"))[4] == b'-');
    }

    #[test]
    fn a_run_in_parts() {
        let request = r#"{"script":"condition hcp(north)>20","seed":"1","produce":3}"#;
        let opened = answer(&format!("run-open\n{request}")).unwrap();
        assert!(opened.contains("\"deals\":10000000"), "{opened}");
        let part = answer(&format!(
            "run-part\n{{\"request\":{request},\"first\":0,\"last\":4096}}"
        ))
        .unwrap();
        let end = answer(&format!(
            "run-join\n{{\"request\":{request},\"parts\":[{part}]}}"
        ))
        .unwrap();
        assert!(
            end.contains("\"type\":\"end\"") && end.contains("\"produced\":3"),
            "{end}"
        );
    }
}
