//! Initial inputs, from the files of this repository.

use std::fs;
use std::path::{Path, PathBuf};

/// Returns the root of the repository.
#[must_use]
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Returns the files with one of these endings in a folder and its subfolders, sorted by name.
#[must_use]
pub fn files(folder: &str, endings: &[&str]) -> Vec<Vec<u8>> {
    let mut paths = Vec::new();
    collect(&root().join(folder), &mut paths);
    paths.sort();
    let wanted = |path: &&PathBuf| {
        let ending = path.extension().and_then(|ending| ending.to_str());
        ending.is_some_and(|ending| endings.contains(&ending))
    };
    let read = |path: &PathBuf| {
        fs::read(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
    };
    paths.iter().filter(wanted).map(read).collect()
}

fn collect(folder: &Path, paths: &mut Vec<PathBuf>) {
    let Ok(entries) = fs::read_dir(folder) else {
        panic!("there is no folder {}", folder.display());
    };
    for entry in entries.filter_map(Result::ok) {
        let path = entry.path();
        if path.is_dir() {
            collect(&path, paths);
        } else {
            paths.push(path);
        }
    }
}

/// Returns a column of a file of vectors.
#[must_use]
pub fn column(file: &str, name: &str) -> Vec<String> {
    let path = root().join(file);
    let text =
        fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let mut rows = text.lines().map(fields);
    let at = rows
        .next()
        .and_then(|names| names.iter().position(|it| it == name));
    let at = at.unwrap_or_else(|| panic!("{file} has no column {name}"));
    rows.filter_map(|row| row.get(at).cloned()).collect()
}

/// Returns the fields of a CSV line.
fn fields(line: &str) -> Vec<String> {
    let mut fields = vec![String::new()];
    let mut quoted = false;
    let mut letters = line.chars().peekable();
    while let Some(letter) = letters.next() {
        match letter {
            '"' if quoted && letters.peek() == Some(&'"') => {
                fields
                    .last_mut()
                    .expect("there is at least one field")
                    .push('"');
                letters.next();
            }
            '"' => quoted = !quoted,
            ',' if !quoted => fields.push(String::new()),
            letter => fields
                .last_mut()
                .expect("there is at least one field")
                .push(letter),
        }
    }
    fields
}

/// Returns every script of the examples, the scenarios and the tests.
#[must_use]
pub fn scripts() -> Vec<Vec<u8>> {
    let mut scripts = files("examples", &["dl", "dlr"]);
    scripts.extend(files("scenarios", &["dl"]));
    scripts.extend(files("crates/script/tests/data", &["dl"]));
    scripts.extend(files("crates/dealer/tests/data/golden", &["dl"]));
    scripts
}

/// Returns every condition of the language's test vectors, as a script.
#[must_use]
pub fn conditions() -> Vec<Vec<u8>> {
    let vectors = [
        ("fdshapes.csv", "expr", "shape{north,", "}"),
        ("fdshapes_native.csv", "expr", "shape{west , ", " }"),
        ("shapes.csv", "shape_list", "shape(north,", ")"),
        ("expressions.csv", "expr", "", ""),
    ];
    let scripts = vectors.into_iter().flat_map(|(file, name, open, close)| {
        let path = format!("crates/script/tests/data/language/{file}");
        column(&path, name).into_iter().map(move |text| {
            format!("condition {open}{text}{close}\naction printoneline").into_bytes()
        })
    });
    scripts.collect()
}

/// Returns every word of the language, and punctuation.
#[must_use]
pub fn language() -> Vec<String> {
    const SIGNS: &[&str] = &[
        "(",
        ")",
        "{",
        "}",
        "[",
        "]",
        ",",
        "+",
        "-",
        "*",
        "/",
        "%",
        "?",
        ":",
        "=",
        "==",
        "!=",
        "<=",
        ">=",
        "&&",
        "||",
        "!",
        "\"",
        "\\n",
        "$1",
        "$",
        "/*",
        "*/",
        "//",
        "#",
        "\n",
        "any ",
        "xxxx",
        "5xxx",
        "4333",
        "SAKQ",
        "HAS2",
        "AS",
        "x3NX",
        "z7NRR",
        "1/0",
        "5..9",
        "[10..13]",
        "12.50",
        ".5",
        "99999999999",
        "é",
        "\u{a0}",
        "\u{feff}",
        "rnd(0)",
        "(1=2)",
        "a = a\n",
        "import \"a\"\n",
        "not not ",
        "- -",
        "1 ? 2 : 3",
        "x",
        "9+",
        "2M",
        "(54)xx",
        "predeal spades(north)==5 ",
        "printes(",
        "csvrpt(",
        "usereval(",
    ];
    let entries = script::words().flat_map(|entry| {
        let mut names = vec![entry.name.to_owned(), format!("{} ", entry.name)];
        names.extend(entry.aliases.iter().map(|&alias| alias.to_owned()));
        names.push(entry.signature.replace(['[', ']'], ""));
        names
    });
    entries
        .chain(SIGNS.iter().map(|&sign| sign.to_owned()))
        .collect()
}

/// Returns three boards with all possible data, in every output format, with its name.
#[must_use]
pub fn boards() -> Vec<(&'static str, Vec<u8>)> {
    use formats::{Board, OutputFormat, Reader, Writer};
    let deals: Vec<cards::Deal> = [
        "N:AKJ.KQJ.A9873.Q9 QT.T75.QT6.JT843 98642.842.52.652 753.A963.KJ4.AK7",
        "E:AKQJT98765432... .AKQJT98765432.. ..AKQJT98765432. ...AKQJT98765432",
        "S:AKQ.AKQ.AKQ.AKQJ JT98.JT9.JT9.T98 7654.876.876.765 32.5432.5432.432",
    ]
    .iter()
    .map(|text| text.parse().expect("the text is a deal"))
    .collect();
    let plain: Vec<Board> = (1..)
        .zip(&deals)
        .map(|(number, deal)| {
            let mut board = Board::duplicate(deal, number);
            board.tricks = cards::TrickTable::new([[7; 5], [6; 5], [7; 5], [6; 5]]);
            board.par = Some(-110);
            board
        })
        .collect();
    // A file with players, an auction, a play and comments.
    let rich: Vec<Board> = files("examples", &["pbn", "lin"])
        .iter()
        .chain(&files("crates/dealer/tests", &["pbn", "lin"]))
        .flat_map(|file| {
            Reader::new(&file[..])
                .expect("writing to memory cannot fail")
                .filter_map(Result::ok)
                .take(6)
        })
        .collect();
    let mut made = Vec::new();
    for (name, format) in OutputFormat::NAMES {
        for boards in [&plain, &rich] {
            let (mut file, mut writer) = (Vec::new(), Writer::new(format));
            for board in boards {
                if let Some(deal) = board.deal() {
                    writer.write(&mut file, board, &deal);
                }
            }
            if writer.finish(&mut file).is_ok() {
                file.truncate(6000);
                made.push((name, file));
            }
        }
    }
    made
}
