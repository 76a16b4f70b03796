//! Files with parts of a run, from untrusted sources.

use std::sync::OnceLock;

use session::{Job, NoDeals, Partial};

use crate::Surface;
use crate::observed::Observed;

/// Files of parts.
pub static PARTIALS: Surface = Surface {
    name: "partials",
    about: "Any bytes as the file of a part: refused, or merged and added up without a panic, and a real part with itself never counts twice.",
    feed,
    seeds: || {
        valid_parts()
            .iter()
            .map(|part| serde_json::to_vec(part).expect("plain data"))
            .collect()
    },
    words,
    inputs: 1_500,
};

const SCRIPTS: &[&str] = &[
    "generate 3000 produce 40 condition hcp(north) > 12 action average hcp(south), printoneline",
    "generate 3000 condition spades(north) > 5 action frequency (hcp(south), 0, 12), frequency (hcp(north), 3, 9, hearts(east), 0, 6)",
    "generate 2500 produce 9 condition hcp(north) + rnd(4) > 15 action printes(hcp(north)), average \"x\" 7 / (hcp(south) + 1)",
    "generate 2100 action average hcp(west) * 100000, frequency \"long\" (losers(east), 0, 40)",
];

/// Returns valid parts: the whole run, halves, and an empty one.
fn valid_parts() -> &'static [Partial] {
    static PARTS: OnceLock<Vec<Partial>> = OnceLock::new();
    PARTS.get_or_init(|| {
        let mut parts = Vec::new();
        for (number, script) in SCRIPTS.iter().enumerate() {
            let session = Job::new(*script)
                .seed(number as i64)
                .threads(1)
                .prepare()
                .expect("a good script");
            let (generate, _) = session.settings().limits.counts();
            let whole = 0..generate;
            for range in [whole, 0..1024, 1024..generate, 2048..2048] {
                for keep in [false, true] {
                    parts.push(session.run_range(range.clone(), keep).expect("a part"));
                }
            }
        }
        parts
    })
}

fn words() -> Vec<String> {
    let words = [
        "\"first\":",
        "\"last\":",
        "\"generated\":",
        "\"produced\":",
        "\"ended\":",
        "\"tallies\":",
        "\"calls\":",
        "\"deals\":",
        "\"number\":",
        "\"deal\":",
        "\"tricks\":",
        "\"values\":",
        "null",
        "[]",
        "{}",
        "\"Produced\"",
        "\"Generated\"",
        "\"produced\"",
        "\"generated\"",
        "\"exhausted\"",
        "\"cancelled\"",
        "\"fingerprint\":",
        "\"job\":",
        "\"script\":",
        "\"keeps_deals\":true",
        "true",
        "false",
        "-1",
        "0",
        "1e400",
    ];
    words.map(str::to_owned).to_vec()
}

fn feed(input: &[u8]) -> u64 {
    let mut observed = Observed::default();
    let part: Partial = match serde_json::from_slice(input) {
        Ok(part) => part,
        Err(error) => return observed.note(error.classify() as u8).number(),
    };
    observed.note(part.keeps_deals).about(part.parts.len());
    observed.note(part.outcome(1, &mut NoDeals).is_ok());
    // A checksum protects against accidental damage only; an untrusted file may have a correct one.
    let part = part.sealed();
    match part.outcome(1, &mut NoDeals) {
        Ok(outcome) => {
            observed
                .note(std::mem::discriminant(&outcome.ended))
                .note(outcome.tables.len());
            assert!(
                serde_json::to_string(&outcome).is_ok_and(|text| !text.is_empty()),
                "it can be told"
            );
        }
        Err(error) => {
            observed.message(&error.to_string());
        }
    }
    let counts = part.parts.iter().any(|part| part.first < part.last);
    let doubled = part.clone().merge(part.clone());
    assert!(
        doubled.is_err() || !counts,
        "a part with itself has deals in common"
    );
    for other in valid_parts() {
        if let Ok(merged) = other.clone().merge(part.clone()) {
            let outcome = merged.outcome(1, &mut NoDeals);
            observed.note(outcome.is_ok());
        }
    }
    // A job from a file is prepared like any other.
    if part.job.script.bytes().len() < 500 {
        let prepared = Job::from_spec(part.job).threads(1).prepare();
        observed.note(prepared.is_ok());
    }
    observed.number()
}
