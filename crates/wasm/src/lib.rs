//! The engine for browsers.
//!
//! Three functions over linear memory, so that no generated glue is needed: `take` gives room for a question,
//! `call` answers it, `release` gives the answer's memory back. A question is a line with its name and then a JSON
//! object; an answer is its length in four bytes, `+` or `-` for a problem, and a JSON object. The browser lends a
//! source of random bytes, a place for last words, and an ear for what happens in a run.
//!
//! Every worker has an instance of its own; nothing is shared. A run is cut by number of deal: `run-open` says whether
//! that is possible, `run-part` does a part, `run-join` puts the parts together.

mod runs;

use api::{Limits, Problem};

/// Limits of the page: its reader waits for nobody but himself.
fn limits() -> Limits {
    Limits {
        solver_memory: 96,
        exact_work: 3e7,
        poker_samples: 4_000_000,
        ..Limits::default()
    }
}

/// Answers a question: a line with its name, then a JSON object.
///
/// # Errors
/// Why there is no answer.
pub fn answer(question: &str) -> Result<String, Problem> {
    let (name, body) = question
        .split_once('\n')
        .ok_or_else(|| Problem::request("a question is a name, a line end and a JSON object"))?;
    match name {
        "run-open" => runs::open(body, &limits()),
        "run-part" => runs::part(body, &limits()),
        "run-join" => runs::join(body, &limits()),
        "run-whole" => runs::whole(body, &limits()),
        name => api::answer(name, body, &limits()),
    }
}

/// The answer as it lies in memory.
#[must_use]
pub fn packed(answer: Result<String, Problem>) -> Box<[u8]> {
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
mod border {
    //! What crosses the border between the browser and the engine.

    use std::sync::Once;

    #[link(wasm_import_module = "croupier")]
    unsafe extern "C" {
        /// Fills memory with random bytes.
        safe fn entropy(at: *mut u8, bytes: usize);
        /// Takes the message of a panic before the instance stops.
        safe fn complain(at: *const u8, bytes: usize);
        /// Hears an event of a run.
        safe fn tell(at: *const u8, bytes: usize);
    }

    /// Hands an event of a run to the browser.
    pub fn hear(event: &str) {
        tell(event.as_ptr(), event.len());
    }

    /// The random bytes of the browser, for `getrandom`.
    ///
    /// # Safety
    /// The memory must be writable for so many bytes.
    #[unsafe(no_mangle)]
    unsafe extern "Rust" fn __getrandom_v03_custom(
        at: *mut u8,
        bytes: usize,
    ) -> Result<(), getrandom::Error> {
        entropy(at, bytes);
        Ok(())
    }

    /// Room for a question of so many bytes.
    #[unsafe(no_mangle)]
    pub extern "C" fn take(bytes: usize) -> *mut u8 {
        static LAST_WORDS: Once = Once::new();
        LAST_WORDS.call_once(|| {
            std::panic::set_hook(Box::new(|panic| {
                let text = panic.to_string();
                complain(text.as_ptr(), text.len());
            }));
        });
        Box::into_raw(vec![0_u8; bytes].into_boxed_slice()).cast()
    }

    /// Answers the question that was written into that room, which is given back.
    ///
    /// # Safety
    /// `room` must come from [`take`] with the same number of bytes, and is not used again.
    #[unsafe(no_mangle)]
    pub unsafe extern "C" fn call(room: *mut u8, bytes: usize) -> *mut u8 {
        // SAFETY: the caller hands back what `take` made of a box of so many bytes.
        let question = unsafe { Box::from_raw(std::ptr::slice_from_raw_parts_mut(room, bytes)) };
        let question = String::from_utf8_lossy(&question).into_owned();
        let answer = super::packed(super::answer(&question));
        Box::into_raw(answer).cast()
    }

    /// Gives the memory of an answer back.
    ///
    /// # Safety
    /// `answer` must come from [`call`] and is not used again.
    #[unsafe(no_mangle)]
    pub unsafe extern "C" fn release(answer: *mut u8) {
        // SAFETY: an answer begins with its length in four bytes, and was a box of that length and these four.
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
mod border {
    //! Elsewhere the crate is built for its tests only.

    /// Nobody hears.
    pub fn hear(_: &str) {}
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
