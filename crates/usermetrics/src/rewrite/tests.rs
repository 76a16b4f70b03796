//! Rewritten modules return the results of the originals.

use cards::{CardSet, Deal, Side};

use crate::{Evaluator, MetricRequest, MetricResults, Module, ProgramLimits, UserMetricError};

/// A random generator with a fixed seed.
struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 33) as usize % n
    }

    fn deal(&mut self) -> Deal {
        let mut pack: Vec<u8> = (0..52).collect();
        for card in (1..52).rev() {
            pack.swap(card, self.below(card + 1));
        }
        let mut hands = [CardSet(0); 4];
        for (place, &card) in pack.iter().enumerate() {
            hands[place / 13].0 |= 1 << card;
        }
        Deal::new(hands).expect("a shuffled pack")
    }
}

/// Generates random valid modules. Each function calls only functions after it.
struct Writer {
    random: Random,
    /// Number of the function that is being generated.
    function: usize,
    /// Number of open blocks.
    depth: usize,
}

const FUNCTIONS: usize = 5;

impl Writer {
    fn module(&mut self) -> String {
        let mut functions = String::new();
        for function in 0..FUNCTIONS {
            self.function = function;
            let body = self.statements(2, 4);
            let value = self.value(3);
            // $p0 and $p1 are parameters, $i0 to $i2 are loop counters, and statements write the other locals.
            functions += &format!(
                "(func $f{function} (param $p0 i32) (param $p1 i64) (result i32)
                   (local $l0 i32) (local $l1 i32) (local $w i64) (local $i0 i32) (local $i1 i32) (local $i2 i32)
                   {body} {value})"
            );
        }
        format!(
            "(module (memory (export \"memory\") 1) (global $g (mut i32) (i32.const 0)) {functions}
               (func (export \"evaluate\")
                 (param $tag i32) (param $side i32) (param $deal i32) (param $results i32) (result i32)
                 (local $i i32)
                 (global.set $g (i32.const 1))
                 (memory.fill (i32.const 0) (i32.const 3) (i32.const 4096))
                 (loop $again
                   (i32.store (i32.add (local.get $results) (i32.mul (local.get $i) (i32.const 4)))
                     (call $f0 (local.get $i) (i64.load (i32.add (local.get $deal)
                       (i32.shl (i32.and (local.get $i) (i32.const 3)) (i32.const 3))))))
                   (local.set $i (i32.add (local.get $i) (i32.const 1)))
                   (br_if $again (i32.lt_u (local.get $i) (i32.const 7))))
                 (i32.store offset=40 (local.get $results) (global.get $g))
                 (memory.copy (i32.add (local.get $results) (i32.const 44)) (i32.const 256) (i32.const 400))
                 (i32.const 120)))"
        )
    }

    fn statements(&mut self, nested: usize, most: usize) -> String {
        let count = 1 + self.random.below(most);
        (0..count).map(|_| self.statement(nested)).collect()
    }

    fn inside(&mut self, nested: usize) -> String {
        self.depth += 1;
        let text = self.statements(nested - 1, 3);
        self.depth -= 1;
        text
    }

    fn statement(&mut self, nested: usize) -> String {
        let value = self.value(2);
        let label = self.random.below(self.depth + 1);
        match self.random.below(if nested > 0 { 12 } else { 7 }) {
            0 | 1 => format!("(local.set $l{} {value})", self.random.below(2)),
            2 => format!("(local.set $p0 {value})"),
            3 => format!("(global.set $g (i32.add (global.get $g) {value}))"),
            4 => format!(
                "(i32.store offset=256 (i32.and {value} (i32.const 1023)) {})",
                self.value(1)
            ),
            5 => format!("(local.set $w (i64.mul {} (i64.const 77)))", self.wide()),
            6 if self.random.below(3) == 0 => {
                format!("(if {value} (then (return {})))", self.value(1))
            }
            // Branches only to blocks; a branch to the label of the function would need a value.
            6 if label < self.depth => format!("(br_if {label} {value})"),
            6 => format!("(drop {value})"),
            7 | 8 => format!("(if {value} (then {}))", self.inside(nested)),
            9 => {
                let (then, other) = (self.inside(nested), self.inside(nested));
                format!("(if {value} (then {then}) (else {other}))")
            }
            10 => format!("(block {})", self.inside(nested)),
            _ => self.counting(nested),
        }
    }

    /// Generates a loop of a few iterations. Some loops also write or read their counter, end early or continue early.
    fn counting(&mut self, nested: usize) -> String {
        let (counter, step) = (format!("$i{nested}"), 1 + self.random.below(2));
        let start = match self.random.below(3) {
            0 => String::new(),
            _ => format!("(local.set {counter} (i32.const {}))", self.random.below(3)),
        };
        let body = self.inside(nested);
        let more = match self.random.below(6) {
            0 => format!("(local.set {counter} (i32.add (local.get {counter}) (i32.const 3)))"),
            1 => format!("(br_if 1 (i32.eq (local.get {counter}) (i32.const 2)))"),
            2 => format!(
                "(if (i32.eq (local.get $l0) (i32.const 5)) (then (local.set $l0 (i32.const 6)) (local.set {counter} (i32.add (local.get {counter}) (i32.const 1))) (br_if 1 (i32.lt_u (local.get {counter}) (i32.const 4)))))"
            ),
            _ => String::new(),
        };
        let last = self.random.below(9);
        let compare = ["lt_u", "lt_s", "le_u", "le_s"][self.random.below(4)];
        let count = match self.random.below(2) {
            0 => format!(
                "(local.set {counter} (i32.add (local.get {counter}) (i32.const {step})))
                 (br_if 0 (i32.{compare} (local.get {counter}) (i32.const {last})))"
            ),
            _ => format!(
                "(br_if 0 (i32.{compare} (local.tee {counter} (i32.add (local.get {counter}) (i32.const {step}))) (i32.const {last})))"
            ),
        };
        format!("{start} (block (loop {body} {more} {count}))")
    }

    fn wide(&mut self) -> String {
        match self.random.below(3) {
            0 => "(local.get $p1)".to_owned(),
            1 => "(local.get $w)".to_owned(),
            _ => format!("(i64.extend_i32_u {})", self.value(1)),
        }
    }

    fn value(&mut self, nested: usize) -> String {
        let simple = self.random.below(7);
        if nested == 0 || simple < 2 {
            return match simple {
                0 => format!("(i32.const {})", self.random.below(20) as i32 - 5),
                1 | 2 => "(local.get $p0)".to_owned(),
                3 | 4 => format!("(local.get $l{})", self.random.below(2)),
                5 => format!("(local.get $i{})", self.random.below(3)),
                _ => format!(
                    "(i32.wrap_i64 (i64.shr_u (local.get $p1) (i64.const {})))",
                    self.random.below(40)
                ),
            };
        }
        let value = self.value(nested - 1);
        match self.random.below(9) {
            0 => format!("(i32.popcnt {value})"),
            1 => format!("(i32.load offset=256 (i32.and {value} (i32.const 1023)))"),
            2 => format!("(local.tee $l{} {value})", self.random.below(2)),
            3 => format!("(select {value} {} {})", self.value(0), self.value(0)),
            // The last function is rarely called. It divides by any number, also by 0.
            4 if self.function + 1 == FUNCTIONS => format!("(i32.div_u (i32.const 1000) {value})"),
            4..=6 if self.function + 1 < FUNCTIONS => {
                let callee = self.function + 1 + self.random.below(FUNCTIONS - self.function - 1);
                format!("(call $f{callee} {value} {})", self.wide())
            }
            _ => {
                let operator = ["add", "sub", "mul", "xor", "lt_s", "shl"][self.random.below(6)];
                format!("(i32.{operator} {value} {})", self.value(nested - 1))
            }
        }
    }
}

type Answers = Vec<Result<MetricResults, UserMetricError>>;

/// Returns the results of a module for some deals, each with a new instance.
fn answers(module: &Module, deals: &[Deal]) -> Answers {
    let ask = |deal: &Deal| {
        let mut instance = module.instance()?;
        instance.evaluate(&MetricRequest::new(0, deal, Side::NorthSouth))
    };
    deals.iter().map(ask).collect()
}

#[test]
fn rewritten_modules_return_the_results_of_the_originals() {
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    let deals: Vec<Deal> = (0..3).map(|_| random.deal()).collect();
    let (mut quick, mut answered, mut trapped) = (0, 0, 0);
    for number in 0..400 {
        let mut writer = Writer {
            random: Random(0x1234_5678_9abc_def1 + 2 * number),
            function: 0,
            depth: 0,
        };
        let text = writer.module();
        // A small limit of steps stops some of the modules early.
        let fuel = [5_000_000, 3_000][usize::from(number % 4 == 3)];
        let limits = ProgramLimits {
            fuel,
            ..ProgramLimits::default()
        };
        let module = Module::from_bytes("test.wat", text.as_bytes(), limits).expect(&text);
        let given = answers(&module.as_given(), &deals);
        assert_eq!(answers(&module, &deals), given, "{text}");
        let mut instance = module.instance().expect("an instance");
        let _ = instance.evaluate(&MetricRequest::new(0, &deals[0], Side::NorthSouth));
        quick += usize::from(instance.is_quick());
        answered += given.iter().flatten().count();
        trapped += given.iter().filter(|answer| answer.is_err()).count();
    }
    // Both kinds of results must occur; otherwise the test would prove nothing.
    assert!(
        quick > 80 && answered > 300 && trapped > 50,
        "{quick} {answered} {trapped}"
    );
}

#[test]
fn the_example_is_written_anew() {
    let text = include_str!("../../../../examples/metrics/bumwrap.wat");
    let module =
        Module::from_bytes("bumwrap.wat", text.as_bytes(), ProgramLimits::default()).unwrap();
    let mut instance = module.instance().unwrap();
    let mut given = module.as_given().instance().unwrap();
    let mut random = Random(1);
    for number in 0..10_000 {
        let (deal, side) = (random.deal(), Side::ALL[number % 2]);
        let request = MetricRequest::new(23, &deal, side);
        assert_eq!(instance.evaluate(&request), given.evaluate(&request));
    }
    assert!(instance.is_quick() && !given.is_quick());
}

/// A call that exceeds the guaranteed fuel is repeated with the original module, which counts exactly.
#[test]
fn long_answers_are_the_originals() {
    let module = |turns: u64, fuel: u64| {
        let text = format!(
            "(module (memory (export \"memory\") 1)
               (func $one (param $n i64) (result i64) (i64.sub (local.get $n) (i64.const 1)))
               (func (export \"evaluate\") (param i32 i32 i32 i32) (result i32) (local $n i64)
                 (local.set $n (i64.const {turns}))
                 (loop $l (br_if $l (i64.ne (local.tee $n (call $one (local.get $n))) (i64.const 0))))
                 (i32.store (local.get 3) (i32.const 5)) (i32.const 1)))"
        );
        let limits = ProgramLimits {
            fuel,
            ..ProgramLimits::default()
        };
        Module::from_bytes("test.wat", text.as_bytes(), limits).unwrap()
    };
    let deal = Random(7).deal();
    let mut seen = [0; 2];
    for (turns, fuel) in [
        (100, 100_000),
        (100, 900),
        (5_000, 51_000),
        (5_000, 49_000),
        (300_000, 100_000_000),
    ] {
        let module = module(turns, fuel);
        let given = answers(&module.as_given(), &[deal]);
        assert_eq!(answers(&module, &[deal]), given);
        seen[usize::from(given[0].is_ok())] += 1;
    }
    assert!(seen[0] > 0 && seen[1] > 1, "{seen:?}");
}
