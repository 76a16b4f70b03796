//! Requests of the page and of the HTTP interface.

use api::RequestLimits;

use crate::observed::Observed;
use crate::{Surface, seeds};

/// Requests in JSON.
pub static QUESTIONS: Surface = Surface {
    name: "questions",
    about: "The name of a question and any text as its body: an answer in JSON or a problem, within the limits.",
    feed,
    seeds: questions,
    words,
    inputs: 250,
};

/// Bodies for every request, as the page sends them.
pub const BODIES: &[(&str, &str)] = &[
    (
        "check",
        r#"{"script":"condition hcp(north) > 12\naction printoneline"}"#,
    ),
    (
        "check",
        r#"{"script":"condition hcp(nrth) > 12","dialect":"v2"}"#,
    ),
    ("words", "{}"),
    ("scenarios", "{}"),
    (
        "probability",
        r#"{"script":"condition hcp(north) > 20 and shape(south, any 4333)"}"#,
    ),
    (
        "explain",
        r#"{"script":"x = hcp(north)\ncondition x > 3 and x < 9","deal":"N:AKJ.KQJ.A9873.Q9 QT.T75.QT6.JT843 98642.842.52.652 753.A963.KJ4.AK7"}"#,
    ),
    (
        "solve",
        r#"{"deals":["N:AKQJT98765432... .AKQJT98765432.. ..AKQJT98765432. ...AKQJT98765432"]}"#,
    ),
    (
        "play",
        r#"{"deal":"N:A... K... Q... J...","leader":"W","strain":"N","played":[]}"#,
    ),
    (
        "line",
        r#"{"deal":"N:A... K... Q... J...","leader":"W","strain":"N","played":[]}"#,
    ),
    (
        "deciding",
        r#"{"deal":"N:A... K... Q... J...","leader":"W","strain":"N","played":[]}"#,
    ),
    (
        "plan",
        r#"{"declarer":"A53.AK4.T83.AK62","dummy":"42.Q32.AQJ92.543","played":["SK"],"auction":{"calls":"1N-P-3N","dealer":"S"},"depth":1,"worlds":2,"playouts":1}"#,
    ),
    (
        "infer",
        r#"{"auction":{"calls":"1S-P-2C-X","dealer":"W","system":"dutch","ew":"2/1"},"hands":["AK2.AKQ.AK32.AT3",null,null,null]}"#,
    ),
    (
        "bid",
        r#"{"deal":"N:AKJ.KQJ.A9873.Q9 QT.T75.QT6.JT843 98642.842.52.652 753.A963.KJ4.AK7","auction":{"calls":"P-1C","dealer":"E"},"robots":"NE","other_score":50}"#,
    ),
    (
        "push",
        r#"{"stacks":[10,8,15],"blinds":[0.5,1],"ante":0.1,"payouts":[50,30],"tolerance":0.1,"iterations":20}"#,
    ),
    (
        "spot",
        r#"{"board":"2c2d2h2s3c","oop":"AsAh,QsQh","ip":"KsKh","pot":100,"stack":100,"bets":["a"],"raises":["2.5x"],"locks":["check => check: KK"],"iterations":20,"bits":16,"node":"check"}"#,
    ),
    (
        "leads",
        r#"{"hand":"K53.QJT9.A42.J82","contract":"3N","declarer":"S","deals":2}"#,
    ),
    (
        "tricks",
        r#"{"script":"condition hcp(north) > 12","deals":2}"#,
    ),
    (
        "contract-plan",
        r#"{"contracts":["3N-S","4S-N"],"precision":"9%","deals":["N:AKJ.KQJ.A9873.Q9 QT.T75.QT6.JT843 98642.842.52.652 753.A963.KJ4.AK7"]}"#,
    ),
    (
        "contract-results",
        r#"{"contracts":["3N-N"],"tricks":[[9]],"deals":["N:AKJ.KQJ.A9873.Q9 QT.T75.QT6.JT843 98642.842.52.652 753.A963.KJ4.AK7"],"bounds":[[[0,13]]],"plan":"1;9%;10 10 5 5;2.5 0.5;1.5 1.5 1.5 1.5 1.5 1.5 1.5 1.5 1.5 1.5 1.5 1.5 1.5 1.5 1.5 1.5 1.5 1.5 1.5 1.5 1.5 1.5 1.5 1.5 1.5 1.5 1.5 1.5 1.5 1.5 1.5 1.5 1.5 1.5 1.5 1.5 1.5 1.5 1.5 1.5 1.5 1.5 1.5 1.5 1.5 1.5 1.5 1.5 1.5 1.5 1.5 1.5 1.5 1.5 1.5 1.5 1.5 1.5 1.5 1.5 1.5 1.5 1.5 1.5 1.5 1.5 1.5 1.5 1.5 1.5 1.5 1.5"}"#,
    ),
    (
        "value",
        r#"{"deal":"N:AKJ.KQJ.A9873.Q9 QT.T75.QT6.JT843 98642.842.52.652 753.A963.KJ4.AK7"}"#,
    ),
    ("shapes", r#"{"pattern":"5M(332)"}"#),
    (
        "equity",
        r#"{"game":"holdem","players":["AhAs","KK"],"board":"Kh7h2c"}"#,
    ),
    ("matrix", r#"{"game":"holdem","range":"22+, A2s+"}"#),
    ("range", r#"{"game":"holdem","range":"22+, A2s+"}"#),
    (
        "read",
        r#"{"text":"N:AKJ.KQJ.A9873.Q9 QT.T75.QT6.JT843 98642.842.52.652 753.A963.KJ4.AK7"}"#,
    ),
    (
        "write",
        r#"{"format":"pbn","boards":[{"deal":"N:AKJ.KQJ.A9873.Q9 QT.T75.QT6.JT843 98642.842.52.652 753.A963.KJ4.AK7"}]}"#,
    ),
    ("form", r#"{"script":"condition hcp(north) > 12"}"#),
];

fn questions() -> Vec<Vec<u8>> {
    BODIES
        .iter()
        .map(|(name, body)| format!("{name}\n{body}").into_bytes())
        .collect()
}

fn words() -> Vec<String> {
    let mut words: Vec<String> = api::QUESTIONS.iter().map(|it| it.name.to_owned()).collect();
    words.extend(
        [
            "\"script\":",
            "\"deal\":",
            "\"deals\":",
            "\"hand\":",
            "\"seed\":",
            "\"dialect\":\"v1\"",
            "null",
            "[]",
            "{}",
            "true",
            "-1",
            "\"board\":",
            "\"boards\":",
            "\"players\":",
            "\"range\":",
            "\"format\":",
            "\"text\":",
            "\"base64\":",
            "\"produce\":",
            "\\n",
            "\\u0000",
            "\\ud800",
            "\"",
            "1e999",
            "0.5",
            "\"contract\":\"7NXX\"",
            "\"declarer\":\"N\"",
            "\"played\":[\"SA\"]",
        ]
        .map(str::to_owned),
    );
    words.extend(seeds::language().into_iter().step_by(7));
    words
}

/// Returns limits that keep a request short.
pub fn limits() -> RequestLimits {
    RequestLimits {
        text: 4_000,
        script: 4_000,
        boards: 2,
        samples: 300,
        exact_work: 1e6,
        poker_samples: 2_000,
        threads: 1,
        solver_memory: 16,
        ..RequestLimits::default()
    }
}

fn feed(input: &[u8]) -> u64 {
    let Ok(text) = std::str::from_utf8(input) else {
        return 0;
    };
    let (name, body) = text.split_once('\n').unwrap_or((text, "{}"));
    let mut observed = Observed::default();
    match api::answer(name, body, &limits()) {
        Ok(answer) => {
            let told: serde_json::Value = serde_json::from_str(&answer).expect("an answer in JSON");
            observed
                .note(name)
                .note(told.as_object().map(|fields| fields.len()))
                .about(answer.len());
        }
        Err(problem) => {
            assert!(!problem.message.is_empty(), "a refusal has a reason");
            observed.message(&problem.message);
        }
    }
    observed.number()
}
