//! All commands that write files. Their output is reproducible.

use crate::common::dealer_path;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Guarantee about a file at every moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// The file is the old one or the new one, complete.
    Whole,
    /// As `Whole`; an interrupted run may also leave the boards that it has, and prints their number. Each board begins
    /// with this text.
    Boards(&'static str),
    /// The file is a prefix of the complete one and ends with a complete record of this number of bytes. After `kill
    /// -9` the last record may be partial, because the system can be stopped between two pages.
    Records(usize),
    /// The file is a prefix of the complete one and ends with a complete line.
    Lines,
    /// The run itself can continue from any state of the file: started again, it ends with the output of an undisturbed
    /// run.
    Journal,
}

/// A command that writes a file.
pub struct Writer {
    pub name: &'static str,
    /// Program and arguments; `OUT` is the file, `IN/` the folder with the inputs.
    program: &'static str,
    words: &'static str,
    /// Name of the file.
    pub file: &'static str,
    pub shape: Shape,
}

const fn dealer(
    name: &'static str,
    words: &'static str,
    file: &'static str,
    shape: Shape,
) -> Writer {
    Writer {
        name,
        program: "dealer",
        words,
        file,
        shape,
    }
}

const fn croupier(
    name: &'static str,
    words: &'static str,
    file: &'static str,
    shape: Shape,
) -> Writer {
    Writer {
        name,
        program: "croupier",
        words,
        file,
        shape,
    }
}

/// Returns all writers.
pub const WRITERS: [Writer; 19] = [
    croupier(
        "solve, PBN",
        "solve IN/few.txt -o OUT",
        "out.pbn",
        Shape::Journal,
    ),
    croupier(
        "solve, ZRD",
        "solve IN/few.txt -o OUT",
        "out.zrd",
        Shape::Journal,
    ),
    dealer(
        "dealer -Z, solved",
        "-v -s 1 -p 6 --no-deals -Z w:OUT IN/any.dl",
        "out.zrd",
        Shape::Records(23),
    ),
    dealer(
        "dealer -Z, unsolved",
        "-v -s 1 -p 60000 --no-deals -Z Nw:OUT IN/any.dl",
        "out.zrd",
        Shape::Records(23),
    ),
    dealer(
        "dealer -l",
        "-v -s 1 -p 60000 --no-deals -l w:OUT IN/any.dl",
        "out.dl52",
        Shape::Records(52),
    ),
    dealer(
        "dealer -C",
        "-v -s 1 -p 20000 -C w:OUT IN/rows.dl",
        "out.csv",
        Shape::Lines,
    ),
    dealer(
        "dealer -X",
        "-v -s 1 -p 20000 -X OUT IN/export.dl",
        "out.txt",
        Shape::Lines,
    ),
    dealer(
        "dealer -o",
        "--force -v -s 1 -p 5000 -o OUT IN/any.dl",
        "out.lin",
        Shape::Whole,
    ),
    dealer(
        "dealer --report",
        "--force -v -s 1 -p 400 --report OUT IN/any.dl",
        "out.html",
        Shape::Whole,
    ),
    dealer(
        "dealer --tables",
        "--force -v -s 1 -g 100000 -p 100000 --tables OUT IN/table.dl",
        "out.csv",
        Shape::Whole,
    ),
    dealer(
        "dealer --write-leveled",
        "--force -v -s 1 -p 300 --level --write-leveled OUT IN/classes.dl",
        "out.dl",
        Shape::Whole,
    ),
    dealer(
        "dealer --shard --partial",
        "--force -v -s 1 -g 200000 -p 200000 --shard 1/2 --partial OUT IN/table.dl",
        "out.json",
        Shape::Whole,
    ),
    dealer(
        "dealer --tournament --key-file",
        "-v --tournament=00ff -p 2000 --key-file OUT IN/any.dl",
        "out.key",
        Shape::Whole,
    ),
    croupier(
        "convert",
        "convert IN/many.txt --force -o OUT",
        "out.pbn",
        Shape::Whole,
    ),
    croupier(
        "record",
        "record IN/few.txt --force -o OUT",
        "out.html",
        Shape::Whole,
    ),
    croupier(
        "scenario deal",
        "scenario deal weak-two -n 2000 -s 1 --force -o OUT",
        "out.lin",
        Shape::Boards("pn|"),
    ),
    croupier(
        "profile",
        "profile IN/weak-two.toml -n 300 --seed 1 --force -o OUT",
        "out.pbn",
        Shape::Boards("[Event "),
    ),
    croupier("fmt", "fmt OUT", "out.dl", Shape::Whole),
    croupier(
        "merge --report",
        "merge IN/part1.json IN/part2.json --force --report OUT -v",
        "out.html",
        Shape::Whole,
    ),
];

impl Writer {
    /// Returns the command for a file, with the folder of its inputs.
    pub fn command(&self, input: &Path, out: &Path) -> Command {
        let mut command = crate::process_control::command_with_signals(self.program());
        command.args(self.arguments(input, out));
        command.env_remove("CROUPIER_COMPAT");
        command
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::piped());
        command
    }

    pub fn program(&self) -> &'static str {
        match self.program {
            "dealer" => dealer_path(),
            _ => env!("CARGO_BIN_EXE_croupier"),
        }
    }

    pub fn arguments(&self, input: &Path, out: &Path) -> Vec<String> {
        let (input, out) = (input.display().to_string(), out.display().to_string());
        let words = self.words.split_whitespace();
        words
            .map(|word| match word.strip_prefix("IN/") {
                Some(name) => format!("{input}/{name}"),
                None => word.replace("OUT", &out),
            })
            .collect()
    }

    /// Returns the previous content of the file. A key is never overwritten, and `fmt` rewrites the existing file.
    pub fn old(&self) -> Option<Vec<u8>> {
        match self.name {
            "dealer --tournament --key-file" => None,
            "fmt" => Some(b"condition   hcp( north )>=12\n".to_vec()),
            _ => match self.shape {
                Shape::Whole | Shape::Boards(_) => Some(b"what was there before\n".to_vec()),
                _ => None,
            },
        }
    }

    /// Restores the previous file.
    pub fn prepare(&self, out: &Path) {
        let _ = fs::remove_file(out);
        if let Some(old) = self.old() {
            fs::write(out, old).unwrap();
        }
    }

    /// Returns the fault of the file, if any. `whole` is the output of an undisturbed run.
    pub fn wrong(&self, out: &Path, whole: &[u8]) -> Option<String> {
        let found = fs::read(out).ok();
        let text = |bytes: &[u8]| format!("{} of {} bytes", bytes.len(), whole.len());
        match (self.shape, found) {
            (Shape::Whole | Shape::Boards(_), None) => {
                self.old().map(|_| "the old file is gone".to_owned())
            }
            (Shape::Whole | Shape::Boards(_), Some(found)) => {
                let good = same(&found, whole) || Some(&found) == self.old().as_ref();
                (!good).then(|| text(&found))
            }
            (_, None) | (Shape::Journal, _) => None,
            (Shape::Records(size), Some(found)) => (!whole.starts_with(&found)
                || !found.len().is_multiple_of(size))
            .then(|| text(&found)),
            (Shape::Lines, Some(found)) => {
                let ends = found.is_empty() || found.ends_with(b"\n");
                (!whole.starts_with(&found) || !ends).then(|| text(&found))
            }
        }
    }
}

impl Writer {
    /// Returns whether the command appends to an existing file by default.
    pub fn command_appends(&self) -> bool {
        self.words.contains("w:OUT")
    }

    /// Returns whether the file ends with a partial record and is correct up to there.
    pub fn is_cut_short(&self, out: &Path, whole: &[u8]) -> bool {
        let (Shape::Records(_) | Shape::Lines, Ok(found)) = (self.shape, fs::read(out)) else {
            return false;
        };
        whole.starts_with(&found) && self.wrong(out, whole).is_some()
    }

    /// Returns whether the file has the first boards of the whole one, as many as the run reported.
    pub fn has_reported_boards(&self, out: &Path, whole: &[u8], told: &str) -> bool {
        let (Shape::Boards(begin), Ok(found)) = (self.shape, fs::read(out)) else {
            return false;
        };
        let Some(rest) = whole.strip_prefix(found.as_slice()) else {
            return false;
        };
        let boards = String::from_utf8_lossy(&found).matches(begin).count();
        let next = String::from_utf8_lossy(rest);
        let said = [
            format!(": {boards} boards are written"),
            format!(": the first {boards} of "),
        ];
        boards > 0
            && found.ends_with(b"\n")
            && next.trim_start().starts_with(begin)
            && said.iter().any(|said| told.contains(said))
    }
}

/// Returns whether two files are equal except for the duration of the run, which pages contain.
pub fn same(one: &[u8], other: &[u8]) -> bool {
    let without_time = |bytes: &[u8]| {
        let text = String::from_utf8_lossy(bytes).into_owned();
        match text.rfind(" s</dd>") {
            Some(end) => {
                let start = text[..end].rfind('>').unwrap_or(0);
                format!("{}{}", &text[..start], &text[end..])
            }
            None => text,
        }
    };
    one == other || without_time(one) == without_time(other)
}

/// Creates the inputs of the writers.
pub fn inputs(folder: &Path) -> PathBuf {
    let input = folder.join("in");
    fs::create_dir_all(&input).unwrap();
    let write = |name: &str, text: &str| fs::write(input.join(name), text).unwrap();
    write("any.dl", "condition 1\n");
    write(
        "rows.dl",
        "action csvrpt(hcp(north), hcp(south), north, south)\n",
    );
    write("export.dl", "action export(north), export(NS)\n");
    write(
        "table.dl",
        "action average \"points\" hcp(north), frequency \"f\" (hcp(north), 0, 37, spades(north), 0, 13)\n",
    );
    write(
        "classes.dl",
        "HandType_Weak = hcp(north) < 10\nHandType_Strong = hcp(north) > 15\ncondition HandType_Weak or HandType_Strong\naction average hcp(north)\n",
    );
    let dealt = |boards: &str| {
        let output = Command::new(dealer_path())
            .args(["-v", "-s", "3", "-p", boards, "-f", "oneline", "-"])
            .stdin(Stdio::null())
            .output()
            .unwrap();
        assert!(output.status.success());
        String::from_utf8(output.stdout).unwrap()
    };
    write("few.txt", &dealt("6"));
    write("many.txt", &dealt("5000"));
    let profile =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/profiles/weak-two.toml");
    fs::copy(profile, input.join("weak-two.toml")).unwrap();
    for part in ["1", "2"] {
        let status = Command::new(dealer_path())
            .args([
                "-s",
                "1",
                "-g",
                "20000",
                "-p",
                "20000",
                "--shard",
                &format!("{part}/2"),
            ])
            .arg("--partial")
            .arg(input.join(format!("part{part}.json")))
            .arg(input.join("table.dl"))
            .status()
            .unwrap();
        assert!(status.success());
    }
    input
}
