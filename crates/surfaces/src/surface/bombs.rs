//! Small scripts with huge demands: nested, doubled and repeated constructs, sent to the server.
//!
//! The input bytes are a recipe: each selects a construct, its number of repetitions or depth, and its content. The
//! mutator changes recipes, so every script consists of complete constructs.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::OnceLock;
use std::time::Duration;

use serve::Config;

use crate::Surface;
use crate::observed::Observed;

/// Scripts with huge demands.
pub static BOMBS: Surface = Surface {
    name: "bombs",
    about: "A recipe for nested, doubled and repeated constructs, sent to the server as a script: an answer within the limit of time and half a second of work, and 192 MiB; meanwhile the server answers others.",
    feed,
    seeds,
    words: Vec::new,
    inputs: 120,
};

/// Seconds that the server works on a request. Few, so that many requests can be tried; whether a limit works does not
/// depend on its length.
const TIME: f64 = 0.1;
/// Seconds of processor time that a request may take beyond its limit.
const GRACE: f64 = 0.5;
/// Memory limit of a request in bytes: that of the largest scripts, plus 64 MiB.
const MEMORY: u64 = 192 << 20;
/// Maximum length of a script in bytes.
const LONGEST: usize = 64 << 10;

/// Reader of a recipe.
struct Recipe<'a> {
    bytes: &'a [u8],
    text: String,
    /// Names defined so far.
    names: usize,
}

/// Numbers of repetitions.
const TIMES: [usize; 8] = [1, 3, 10, 40, 200, 1_000, 5_000, 20_000];
/// Values without operands.
const VALUES: [&str; 12] = [
    "hcp(north)",
    "rnd(9)",
    "spades(south)",
    "rnd(0)",
    "1",
    "0",
    "tricks(south, notrump)",
    "losers(west)",
    "hascard(east, AS)",
    "shape(north, any 4333 + any 5xxx)",
    "opc(north)",
    "2147483647",
];
const OPERATORS: [&str; 14] = [
    "+", "-", "*", "/", "%", "==", "!=", "<", ">=", " and ", " or ", "&&", "||", "?1:",
];
/// Texts before and after nested constructs.
const AROUND: [(&str, &str); 12] = [
    ("(", ")"),
    ("not ", ""),
    ("-", ""),
    ("abs(", ")"),
    ("rnd(", ")"),
    ("imps(", ")"),
    ("score(NV, x3N, ", ")"),
    ("(hcp(north)>3?", ":0)"),
    ("hcp(north)>3?1:", ""),
    ("(1 and ", ")"),
    ("(rnd(2) or ", ")"),
    ("(", "/2)"),
];
/// Statements and parts of statements to repeat; `#` is a value, `@` the number of the repetition.
const REPEATED: [&str; 24] = [
    "action average #\n",
    "action average \"a@\" #+@\n",
    "action frequency \"f\" (#, 0, @)\n",
    "action frequency (#, 0, 2000000000)\n",
    "action frequency (#, 0, 999, #, 0, @)\n",
    "action printes(#, \"text\", #)\n",
    "action printrpt(#, #, deal)\n",
    "action csvrpt(#, trix(deal))\n",
    "action evalcontract(S, 3N)\n",
    "action printall\n",
    "condition #\n",
    "predeal north SA\n",
    "predeal clubs(south)==3\n",
    "altcount @ 5 4 3 2 1\n",
    "pointcount 4 3 2 1\n",
    "HandType_a@ = #\n",
    "HandType_a@_Share = @\n",
    "level a@ = 2\n",
    "import \"scenarios/stayman\"\n",
    "title \"x\"\n",
    "# param 1 = $2 $2\n",
    "bias # 50\n",
    "// x\n/* y */\n",
    "((( ]]\n",
];

impl Recipe<'_> {
    fn next(&mut self) -> usize {
        match self.bytes.split_first() {
            Some((&first, rest)) => {
                self.bytes = rest;
                usize::from(first)
            }
            None => 0,
        }
    }

    fn pick<T: Copy>(&mut self, list: &[T]) -> T {
        list[self.next() % list.len()]
    }

    /// Returns a value, often a name that was defined before.
    fn value(&mut self) -> String {
        let choice = self.next();
        match self.names {
            names if names > 0 && choice.is_multiple_of(2) => format!("v{}", names - 1),
            _ => VALUES[choice / 2 % VALUES.len()].to_owned(),
        }
    }

    fn repeat(&mut self, times: usize, mut piece: impl FnMut(usize) -> String) {
        for number in 0..times {
            if self.text.len() >= LONGEST {
                break;
            }
            self.text += &piece(number);
        }
    }

    /// Writes a definition of the next name as `value`.
    fn define(&mut self, value: &str) {
        let _ = writeln!(self.text, "v{} = {value}", self.names);
        self.names += 1;
    }

    /// Adds variables, each of which uses the previous one twice.
    fn doubling(&mut self) {
        let (value, operator, times) = (self.value(), self.pick(&OPERATORS), self.pick(&TIMES));
        self.define(&value);
        for _ in 0..times.min(LONGEST / 40) {
            let last = self.names - 1;
            self.define(&format!("v{last}{operator}v{last}"));
        }
    }

    /// Adds nested constructs.
    fn nested(&mut self) {
        let ((before, behind), value) = (self.pick(&AROUND), self.value());
        let times = self.pick(&TIMES);
        let times = times.min(LONGEST / 2 / (before.len() + behind.len() + 1));
        let nested = format!("{}{value}{}", before.repeat(times), behind.repeat(times));
        self.define(&nested);
    }

    /// Adds many operands in a row.
    fn chained(&mut self) {
        let (value, operator, times) = (self.value(), self.pick(&OPERATORS), self.pick(&TIMES));
        let link = format!("{operator}{value}");
        let chain = link.repeat(times.min(LONGEST / 2 / link.len()));
        self.define(&format!("{value}{chain}"));
    }

    /// Adds one statement many times.
    fn repeated(&mut self) {
        let (piece, value, times) = (self.pick(&REPEATED), self.value(), self.pick(&TIMES));
        let piece = piece.replace('#', &value);
        self.repeat(times, |number| piece.replace('@', &number.to_string()));
    }

    /// Adds texts of parameters that mention one another.
    fn parameters(&mut self) {
        let times = self.pick(&TIMES).min(40);
        let value = self.value();
        for number in 0..9 {
            let next = format!("${} ", number + 1).repeat(times);
            let _ = writeln!(self.text, "# param {number} = {next}");
        }
        let _ = writeln!(self.text, "# param 9 = {value} +");
        self.define("$0 1");
    }

    /// Adds long lists inside a call.
    fn listed(&mut self) {
        let (value, times) = (self.value(), self.pick(&TIMES));
        let (before, item, behind) = self.pick(&[
            ("action printes(", "#, ", "1)\n"),
            ("action printrpt(", "#, ", "1)\n"),
            ("action average #, average ", "#, average ", "1\n"),
            ("condition shape(north, 4333", " + any 5xxx", ")\n"),
            ("condition shape{north, 4333", " + 5M(332)", "}\n"),
            ("condition shape{north, xxxx:s", "+h", ">3}\n"),
            ("condition shape{north, xxxx:", "(", "}\n"),
            ("condition hascard(north, ", "AS, ", "KS)\n"),
        ]);
        self.text += &before.replace('#', &value);
        let item = item.replace('#', &value);
        self.repeat(times, |_| item.clone());
        self.text += behind;
    }

    fn script(mut self) -> String {
        let pieces = 1 + self.next() % 6;
        for _ in 0..pieces {
            match self.next() % 6 {
                0 => self.doubling(),
                1 => self.nested(),
                2 => self.chained(),
                3 => self.repeated(),
                4 => self.parameters(),
                _ => self.listed(),
            }
        }
        let value = self.value();
        let last = match self.next() % 4 {
            0 => format!("condition {value} > 3\n"),
            1 => format!("condition {value} > 3\naction average {value}\n"),
            2 => format!("produce 40\naction printes({value}, \"\\n\")\n"),
            _ => format!("action frequency ({value}, 0, 40)\n"),
        };
        self.text += &last;
        self.text.truncate(LONGEST + (LONGEST >> 3));
        self.text
    }
}

/// Returns the script of a recipe, for programs that read scripts from files.
#[must_use]
pub fn script(input: &[u8]) -> String {
    let recipe = Recipe {
        bytes: input,
        text: String::new(),
        names: 0,
    };
    recipe.script()
}

/// Returns the name and body of a request for a recipe.
fn request(input: &[u8]) -> (&'static str, String) {
    let mut recipe = Recipe {
        bytes: input,
        text: String::new(),
        names: 0,
    };
    let question = recipe.pick(&["run", "check", "probability", "explain", "run", "explain"]);
    let dialect = recipe.pick(&["native", "v1", "v2", "native"]);
    let mut body = serde_json::json!({ "dialect": dialect });
    match recipe.next() % 3 {
        0 if question == "explain" => {
            body["deal"] =
                "N:AKJ.KQJ.A9873.Q9 QT.T75.QT6.JT843 98642.842.52.652 753.A963.KJ4.AK7".into();
        }
        1 if question == "run" => body["generate"] = 2_000_000_000u64.into(),
        2 if question == "run" => body["produce"] = 500.into(),
        _ => {}
    }
    body["script"] = recipe.script().into();
    (question, body.to_string())
}

/// Returns a recipe for each construct, with each size and each request.
fn seeds() -> Vec<Vec<u8>> {
    let mut seeds = Vec::new();
    for kind in 0..6u8 {
        for size in [3u8, 5, 6, 7] {
            for question in 0..4u8 {
                let choice = kind.wrapping_mul(7).wrapping_add(size);
                seeds.push(vec![question, 0, 0, 0, kind, 3, choice, size, 0, 0]);
                seeds.push(vec![
                    question, 2, 1, 1, kind, choice, 2, size, 2, size, 4, 1,
                ]);
            }
        }
    }
    seeds
}

/// Returns the server of this process.
fn server() -> SocketAddr {
    static ADDRESS: OnceLock<SocketAddr> = OnceLock::new();
    *ADDRESS.get_or_init(|| {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let address = listener.local_addr().expect("an address");
        let config = Config {
            threads: 1,
            time: Duration::from_secs_f64(TIME),
            script: LONGEST,
            solver_memory: 16,
            hosts: BTreeSet::from(["bombs".to_owned()]),
            ..Config::default()
        };
        std::thread::spawn(move || serve::serve(listener, config));
        address
    })
}

/// Sends a request and reads the whole answer.
fn ask(question: &str, body: &str) -> Vec<u8> {
    let mut stream = TcpStream::connect(server()).expect("the server takes connections");
    let head = format!(
        "POST /api/{question} HTTP/1.1\r\nhost: bombs\r\ncontent-type: application/json\r\nconnection: close\r\ncontent-length: {}\r\n\r\n",
        body.len()
    );
    let _ = stream.write_all(head.as_bytes());
    let _ = stream.write_all(body.as_bytes());
    let mut answer = Vec::new();
    let _ = stream.read_to_end(&mut answer);
    answer
}

/// Returns the CPU time of this process in seconds, where the system reports it.
fn processor_time() -> f64 {
    let text = fs::read_to_string("/proc/self/stat").unwrap_or_default();
    // The name of the program may have blanks; user and system time are the 12th and 13th entries after it, in
    // hundredths of a second.
    let behind = text.rsplit(')').next().unwrap_or_default();
    let entries = behind.split_whitespace().skip(11).take(2);
    entries.filter_map(|it| it.parse::<f64>().ok()).sum::<f64>() / 100.0
}

/// Returns an entry of `/proc/self/status` in bytes.
fn status(name: &str) -> u64 {
    let text = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = text.lines().find_map(|line| line.strip_prefix(name));
    let kilobytes = line.and_then(|line| line.split_whitespace().next()?.parse::<u64>().ok());
    kilobytes.unwrap_or(0) << 10
}

fn feed(input: &[u8]) -> u64 {
    let (question, body) = request(input);
    // Reset the peak memory that the system records.
    let _ = fs::write("/proc/self/clear_refs", "5");
    let (memory, work) = (status("VmRSS:"), processor_time());
    let answer = ask(question, &body);
    let work = processor_time() - work;
    let memory = status("VmHWM:").saturating_sub(memory);
    assert!(work <= TIME + GRACE, "{question}: {work:.2} s of work");
    assert!(memory <= MEMORY, "{question}: {} MiB", memory >> 20);
    assert!(answer.starts_with(b"HTTP/1.1 "), "an answer");
    let code = answer.get(9..12).unwrap_or_default().to_vec();
    assert_ne!(code, b"500", "no error of ours");
    // On a busy machine a second attempt may be needed.
    let answered = |_| ask("shapes", r#"{"pattern":"5M(332)"}"#).starts_with(b"HTTP/1.1 200");
    assert!((0..20).any(answered), "others are answered");
    let mut observed = Observed::default();
    let text = String::from_utf8_lossy(&answer);
    let message = text.split_once("\"message\":").map_or("", |(_, rest)| rest);
    observed
        .note(question)
        .note(code)
        .message(message)
        .about(answer.len());
    observed.number()
}
