//! WebAssembly modules as metrics.

use std::time::Duration;

use cards::{Deal, Side};
use usermetrics::{Evaluator, MetricRequest, Module, ProgramLimits};

use crate::observed::Observed;
use crate::{Surface, seeds};

/// Modules, binary and text.
pub static MODULES: Surface = Surface {
    name: "modules",
    about: "Any bytes as a WebAssembly module: refused, or held to its fuel, its memory and its time whatever it does.",
    feed,
    seeds: modules,
    words,
    inputs: 1_500,
};

fn modules() -> Vec<Vec<u8>> {
    let bodies = [
        "(i32.const 1)",
        "(i32.store (local.get $results) (i32.const 7)) (i32.const 1)",
        "(loop $for_ever (br $for_ever)) (unreachable)",
        "(call $evaluate (local.get $tag) (local.get $side) (local.get $deal) (local.get $results))",
        "(drop (memory.grow (i32.const 100))) (memory.fill (i32.const 0) (i32.const 9) (i32.const 65536)) (i32.const 128)",
        "(i32.div_u (i32.const 1) (i32.load8_u (local.get $deal)))",
        "(i32.trunc_f64_s (f64.div (f64.const 1) (f64.convert_i64_u (i64.popcnt (i64.load (local.get $deal))))))",
    ];
    let mut texts: Vec<Vec<u8>> = bodies
        .map(|body| {
            let text = format!(
                "(module (memory (export \"memory\") 1) (func $evaluate (export \"evaluate\") \
                 (param $tag i32) (param $side i32) (param $deal i32) (param $results i32) (result i32) {body}))"
            );
            text.into_bytes()
        })
        .to_vec();
    texts.extend(seeds::files("examples/metrics", &["wat"]));
    let binary = |text: &Vec<u8>| wat::parse_bytes(text).expect("a module").into_owned();
    let binaries: Vec<Vec<u8>> = texts.iter().map(binary).collect();
    binaries.into_iter().chain(texts).collect()
}

fn words() -> Vec<String> {
    let words = [
        "(module",
        "(memory 1)",
        "(memory (export \"memory\") 0)",
        "(memory (export \"memory\") 65536)",
        "(table 100000 funcref)",
        "(start 0)",
        "(import \"a\" \"b\" (func))",
        "(data (i32.const 0) \"x\")",
        "(elem (i32.const 0) 0)",
        "(global (mut i32) (i32.const 0))",
        "(loop $l (br $l))",
        "(block",
        "(if (result i32)",
        "(unreachable)",
        "(memory.grow (i32.const 65535))",
        "(call_indirect (type 0))",
        "i32.const",
        "i64.const",
        "f64.const nan",
        "(i32.div_s (i32.const -2147483648) (i32.const -1))",
        "(br_table 0 0 0)",
        "(return)",
        "(v128.const i64x2 0 0)",
        "(memory.copy",
        "(memory.fill",
        ")",
        "(",
        "\0asm",
        "\x01\0\0\0",
        "(export \"evaluate\" (func 0))",
        "(local i32)",
        "(param i32 i32 i32 i32) (result i32)",
        "(func",
        "(type (func))",
        "-2147483648",
        "4294967295",
    ];
    words.map(str::to_owned).to_vec()
}

fn feed(input: &[u8]) -> u64 {
    let limits = ProgramLimits {
        time: Duration::from_secs(5),
        fuel: 300_000,
        memory: 4 << 20,
        ..ProgramLimits::default()
    };
    let mut observed = Observed::default();
    let answer = Module::from_bytes("module", input, limits).and_then(|module| {
        let mut instance = module.instance()?;
        let deal: Deal = "N:AKJ.KQJ.A9873.Q9 QT.T75.QT6.JT843 98642.842.52.652 753.A963.KJ4.AK7"
            .parse()
            .expect("a deal");
        let answers = [
            (0, Side::NorthSouth),
            (23, Side::EastWest),
            (23, Side::EastWest),
        ]
        .map(|(tag, side)| instance.evaluate(&MetricRequest::new(tag, &deal, side)));
        if answers.iter().all(Result::is_ok) {
            assert_eq!(answers[1].is_ok(), answers[2].is_ok());
        }
        answers.into_iter().collect::<Result<Vec<_>, _>>()
    });
    match answer {
        Ok(_) => observed.note(true),
        Err(error) => {
            let text = error.to_string();
            assert!(text.starts_with("module: "), "{text}");
            observed.message(&text)
        }
    };
    observed.number()
}
