//! WebAssembly modules: the example compared with the built-in metric, and modules that misbehave.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use cards::{CardSet, Deal, Side};
use croupier_usermetrics::{
    Evaluator, MetricRequest, Module, ProgramLimits, UserMetricError, UserMetrics,
};
use valuation::metrics;

fn example() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/metrics/bumwrap.wat")
}

/// Returns deals shuffled by a small generator with a fixed seed.
fn deals() -> impl Iterator<Item = Deal> {
    let mut state = 0x2545_f491_4f6c_dd1du64;
    let mut pack: Vec<u8> = (0..52).collect();
    std::iter::repeat_with(move || {
        for card in (1..52).rev() {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            pack.swap(card, (state >> 33) as usize % (card + 1));
        }
        let hand = |seat: usize| {
            CardSet(
                pack[13 * seat..][..13]
                    .iter()
                    .fold(0, |set, &card| set | 1 << card),
            )
        };
        Deal::new([0, 1, 2, 3].map(hand)).expect("a shuffled pack")
    })
}

fn one_deal() -> Deal {
    deals().next().unwrap()
}

/// Returns a module in text form, with the given limits.
fn module(text: &str, limits: ProgramLimits) -> Result<Module, UserMetricError> {
    Module::from_bytes("test.wat", text.as_bytes(), limits)
}

/// Returns the response of a module with this body of `evaluate`.
fn run(body: &str, limits: ProgramLimits) -> Result<[i32; 128], UserMetricError> {
    let text = format!(
        "(module (memory (export \"memory\") 1) (func $evaluate (export \"evaluate\")
           (param $tag i32) (param $side i32) (param $deal i32) (param $results i32) (result i32) {body}))"
    );
    let mut instance = module(&text, limits)?.instance()?;
    instance.evaluate(&MetricRequest::new(0, &one_deal(), Side::NorthSouth))
}

#[test]
fn the_example_equals_the_built_in_metric_over_100_000_deals() {
    let metrics = UserMetrics::open(example(), ProgramLimits::default()).unwrap();
    let mut evaluator = metrics.evaluator().unwrap();
    for (number, deal) in deals().take(100_000).enumerate() {
        let side = Side::ALL[number % 2];
        let found = evaluator
            .evaluate(&MetricRequest::new(23, &deal, side))
            .unwrap();
        let expected = metrics::evaluate(23, &deal, side).unwrap();
        assert_eq!(found, *expected.values(), "{side:?} of {deal}");
    }
}

#[test]
fn tags_that_the_module_does_not_know_are_built_in_or_refused() {
    let metrics = UserMetrics::open(example(), ProgramLimits::default()).unwrap();
    let mut evaluator = metrics.evaluator().unwrap();
    let deal = one_deal();
    let bergen = evaluator
        .evaluate(&MetricRequest::new(0, &deal, Side::EastWest))
        .unwrap();
    assert_eq!(
        bergen,
        *metrics::evaluate(0, &deal, Side::EastWest)
            .unwrap()
            .values()
    );
    let answer = evaluator.evaluate(&MetricRequest::new(15, &deal, Side::EastWest));
    assert!(
        matches!(
            answer,
            Err(UserMetricError::Refused {
                tag: 15,
                code: -1,
                ..
            })
        ),
        "{answer:?}"
    );
    // The evaluator still works after the refusal.
    evaluator
        .evaluate(&MetricRequest::new(23, &deal, Side::EastWest))
        .unwrap();
}

#[test]
fn an_endless_loop_runs_out_of_fuel() {
    let limits = ProgramLimits {
        fuel: 5_000_000,
        ..ProgramLimits::default()
    };
    let answer = run("(loop $for_ever (br $for_ever)) (unreachable)", limits);
    assert!(
        matches!(
            answer,
            Err(UserMetricError::OutOfFuel {
                steps: 5_000_000,
                ..
            })
        ),
        "{answer:?}"
    );
}

#[test]
fn an_endless_loop_with_much_fuel_is_stopped_by_the_clock() {
    let limits = ProgramLimits {
        fuel: u64::MAX,
        time: Duration::from_millis(200),
        ..ProgramLimits::default()
    };
    let answer = run("(loop $for_ever (br $for_ever)) (unreachable)", limits);
    assert!(
        matches!(answer, Err(UserMetricError::TimeOut { .. })),
        "{answer:?}"
    );
}

#[test]
fn a_memory_bomb_gets_no_more_than_the_limit() {
    let grow = "(drop (memory.grow (i32.const 1))) (memory.size)";
    let until_refused =
        "(loop $more (br_if $more (i32.ne (memory.grow (i32.const 1)) (i32.const -1))))
        (i32.store (local.get $results) (memory.size)) (i32.const 1)";
    let limits = ProgramLimits {
        memory: 1 << 20,
        ..ProgramLimits::default()
    };
    assert!(run(grow, limits).is_ok());
    // Sixteen pages of 64 KiB, however many the module requests.
    assert_eq!(run(until_refused, limits).unwrap()[0], 16);
}

#[test]
fn a_module_with_too_much_initial_memory_is_rejected() {
    let text = "(module (memory (export \"memory\") 1000)
        (func (export \"evaluate\") (param i32 i32 i32 i32) (result i32) (i32.const 0)))";
    let opened = module(
        text,
        ProgramLimits {
            memory: 1 << 20,
            ..ProgramLimits::default()
        },
    );
    assert!(opened.is_err(), "{opened:?}");
}

#[test]
fn a_trap_is_an_error_and_stays_one() {
    let text = "(module (memory (export \"memory\") 1)
        (func (export \"evaluate\") (param i32 i32 i32 i32) (result i32) (unreachable)))";
    let mut instance = module(text, ProgramLimits::default())
        .unwrap()
        .instance()
        .unwrap();
    let deal = one_deal();
    let first = instance.evaluate(&MetricRequest::new(0, &deal, Side::NorthSouth));
    assert!(
        matches!(first, Err(UserMetricError::Trapped { .. })),
        "{first:?}"
    );
    assert_eq!(
        instance.evaluate(&MetricRequest::new(0, &deal, Side::NorthSouth)),
        first
    );
}

#[test]
fn deep_recursion_and_wild_addresses_are_traps() {
    let recursion = "(call $evaluate (local.get $tag) (local.get $side) (local.get $deal) (local.get $results))";
    let wild = "(i32.store (i32.const 0x7ffffff0) (i32.const 1)) (i32.const 0)";
    for body in [recursion, wild] {
        let answer = run(body, ProgramLimits::default());
        assert!(
            matches!(answer, Err(UserMetricError::Trapped { .. })),
            "{answer:?}"
        );
    }
}

#[test]
fn too_many_results_are_an_error() {
    let answer = run("(i32.const 129)", ProgramLimits::default());
    assert!(
        matches!(answer, Err(UserMetricError::BadModule { .. })),
        "{answer:?}"
    );
}

#[test]
fn slots_beyond_the_returned_number_are_zero() {
    let answer = run(
        "(i32.store (local.get $results) (i32.const 7))
         (i32.store offset=4 (local.get $results) (i32.const 8)) (i32.const 1)",
        ProgramLimits::default(),
    )
    .unwrap();
    assert_eq!(answer[..3], [7, 0, 0]);
}

#[test]
fn modules_without_the_interface_are_errors_that_name_the_missing_part() {
    let cases = [
        ("(module)", "memory"),
        ("(module (memory (export \"memory\") 1))", "evaluate"),
        (
            "(module (import \"env\" \"time\" (func)) (memory (export \"memory\") 1))",
            "imports \"env.time\"",
        ),
        ("(module (func (export \"evaluate\"", "expected"),
        ("no module at all", "expected"),
    ];
    for (text, expected) in cases {
        let message = module(text, ProgramLimits::default())
            .unwrap_err()
            .to_string();
        assert!(
            message.starts_with("test.wat: ") && message.contains(expected),
            "{message}"
        );
    }
}

#[test]
fn a_start_function_is_held_to_the_limits_too() {
    let text = "(module (memory (export \"memory\") 1)
        (func $start (loop $for_ever (br $for_ever))) (start $start)
        (func (export \"evaluate\") (param i32 i32 i32 i32) (result i32) (i32.const 0)))";
    let opened = module(
        text,
        ProgramLimits {
            fuel: 1_000_000,
            ..ProgramLimits::default()
        },
    );
    assert!(
        matches!(opened, Err(UserMetricError::OutOfFuel { .. })),
        "{opened:?}"
    );
}

#[test]
fn a_file_that_is_not_there_is_named() {
    let error = UserMetrics::open("no/such/module.wasm", ProgramLimits::default()).unwrap_err();
    assert!(
        error.to_string().starts_with("no/such/module.wasm: "),
        "{error}"
    );
}

/// Modules that were written to do harm are refused or stopped within [`STATED`], with the default limits.
#[test]
fn hostile_modules_are_stopped_within_the_stated_time() {
    /// Upper limit of the time for each module: many times the ten seconds of an evaluation, because the machine may be
    /// busy.
    const STATED: Duration = Duration::from_secs(300);
    let evaluate = |body: &str| {
        format!(
            "(func $evaluate (export \"evaluate\") (param $tag i32) (param $side i32) (param $deal i32) (param $results i32) (result i32) {body})"
        )
    };
    let module = |memory: &str, body: &str, more: &str| {
        format!(
            "(module (memory (export \"memory\") {memory}) {} {more})",
            evaluate(body)
        )
    };
    let call = "(call $evaluate (local.get $tag) (local.get $side) (local.get $deal) (local.get $results))";
    let many_locals = "(local i64)".repeat(40_000);
    let wide = "(i32.add (i32.const 1) ".repeat(20_000) + "(i32.const 1)" + &")".repeat(20_000);
    let many_blocks = "(block ".repeat(20_000) + &")".repeat(20_000) + "(i32.const 0)";
    let table = format!("(br_table {} (i32.const 0))", "0 ".repeat(500_000));
    let cases = [
        ("a loop", module("1", "(loop $l (br $l)) (unreachable)", "")),
        ("recursion", module("1", call, "")),
        (
            "two recursions",
            module("1", &format!("(i32.add {call} {call})"), ""),
        ),
        (
            "growing",
            module(
                "1",
                "(loop $l (drop (memory.grow (i32.const 1))) (br $l)) (unreachable)",
                "",
            ),
        ),
        (
            "growing at once",
            module(
                "1",
                "(memory.grow (i32.const 65535)) (drop) (loop $l (br $l)) (unreachable)",
                "",
            ),
        ),
        (
            "filling",
            module(
                "200",
                "(loop $l (memory.fill (i32.const 0) (i32.const 1) (i32.const 13000000)) (br $l)) (unreachable)",
                "",
            ),
        ),
        (
            "copying",
            module(
                "200",
                "(loop $l (memory.copy (i32.const 0) (i32.const 1) (i32.const 13000000)) (br $l)) (unreachable)",
                "",
            ),
        ),
        (
            "a memory of four gigabytes",
            module("65536", "(i32.const 0)", ""),
        ),
        (
            "a table of four billion",
            module("1", "(i32.const 0)", "(table 4294967295 funcref)"),
        ),
        (
            "a start that never ends",
            module(
                "1",
                "(i32.const 0)",
                "(func $s (loop $l (br $l))) (start $s)",
            ),
        ),
        (
            "many locals",
            module("1", &format!("{many_locals} {call}"), ""),
        ),
        ("a deep expression", module("1", &wide, "")),
        ("many blocks", module("1", &many_blocks, "")),
        (
            "a wide branch",
            module("1", &format!("(block {table}) (i32.const 0)"), ""),
        ),
        (
            "an import",
            "(module (import \"env\" \"system\" (func (param i32))))".to_owned(),
        ),
        (
            "wild addresses",
            module("1", "(i32.load (i32.const -1))", ""),
        ),
        (
            "results elsewhere",
            module("1", "(i32.const 2147483647)", ""),
        ),
    ];
    for (name, text) in cases {
        let begin = Instant::now();
        let answer = Module::from_bytes(name, text.as_bytes(), ProgramLimits::default())
            .and_then(|module| module.instance())
            .and_then(|mut it| it.evaluate(&MetricRequest::new(0, &one_deal(), Side::NorthSouth)));
        let harmless = ["many blocks", "a wide branch", "a deep expression"];
        assert!(
            answer.is_err() || harmless.contains(&name),
            "{name}: {answer:?}"
        );
        assert!(
            begin.elapsed() < STATED,
            "{name} took {:?}",
            begin.elapsed()
        );
    }
}

#[test]
fn a_module_of_a_hundred_megabytes_is_refused_without_being_read() {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("huge.wasm");
    let file = std::fs::File::create(&path).unwrap();
    file.set_len(100 << 20).unwrap();
    let error = UserMetrics::open(&path, ProgramLimits::default()).unwrap_err();
    std::fs::remove_file(&path).unwrap();
    assert!(error.to_string().contains("larger than 16 MiB"), "{error}");
}

/// wasmi would panic on such a module.
#[test]
fn code_behind_the_end_of_a_function_is_refused() {
    // A function without parameters, results and locals: `end`, and then `i32.const 0`, `drop` and `end`.
    let bytes =
        b"\0asm\x01\0\0\0\x01\x04\x01\x60\0\0\x03\x02\x01\0\x0a\x08\x01\x06\0\x0b\x41\0\x1a\x0b";
    let refused = Module::from_bytes("test.wasm", bytes, ProgramLimits::default()).unwrap_err();
    assert!(refused.to_string().contains("test.wasm"), "{refused}");
}

#[test]
fn code_without_functions_is_refused() {
    for count in [&[0][..], &[0x80, 0x80, 0]] {
        let mut bytes = b"\0asm\x01\0\0\0".to_vec();
        // A code section of 1500 bytes.
        bytes.extend_from_slice(&[10, 0xdc, 0x0b]);
        bytes.extend_from_slice(count);
        bytes.resize(8 + 3 + 1500, 0x0b);
        // The whole module, and its first 20 bytes.
        for bytes in [&bytes[..], &bytes[..20]] {
            let refused =
                Module::from_bytes("test.wasm", bytes, ProgramLimits::default()).unwrap_err();
            assert!(refused.to_string().contains("no functions"), "{refused}");
        }
    }
}
