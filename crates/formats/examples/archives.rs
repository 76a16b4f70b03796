//! Reads and converts all PBN and LIN files of a folder and reports what is refused, changed or lost:
//! `cargo run --release -p croupier-formats --example archives -- FOLDER`
//!
//! Exit status 1: PBN is not written again with the same bytes, a record, contract or name disappears, or a change is
//! not among the losses that the formats announce.

use std::collections::{BTreeMap, HashSet};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use croupier_formats::{Board, InputFormat, OutputFormat, Reader, Writer};

/// Counts of things by their description.
type Counts = BTreeMap<String, u64>;

/// A conversion there and back.
#[derive(Default)]
struct RoundTrip {
    boards: u64,
    /// Boards in which this differs afterwards.
    changed: Counts,
    /// Boards with a loss of this kind that the formats announce.
    announced: Counts,
    /// Changed boards without an announced loss.
    silent: Vec<String>,
}

#[derive(Default)]
struct Report {
    files: BTreeMap<&'static str, Files>,
    /// Boards of the files that are read completely: there and back by the other format.
    round_trips: BTreeMap<&'static str, RoundTrip>,
    failures: Vec<String>,
}

/// Files of one format.
#[derive(Default)]
struct Files {
    files: u64,
    /// Files with a board that cannot be read, or without one.
    refused: u64,
    reasons: Counts,
    /// Records by a count of the text, and boards read, in files that are read completely.
    records: u64,
    boards: u64,
    /// Files that are written again with the same bytes.
    same_bytes: u64,
}

fn main() -> ExitCode {
    let Some(folder) = std::env::args_os().nth(1) else {
        eprintln!("archives: name a folder with PBN and LIN files");
        return ExitCode::from(2);
    };
    let mut paths = Vec::new();
    add_files(Path::new(&folder), &mut paths);
    let (mut report, mut seen) = (Report::default(), HashSet::new());
    for path in paths {
        let bytes = std::fs::read(&path).expect("the file can be read");
        if seen.insert(bytes.clone()) {
            add(&mut report, &path.to_string_lossy(), &bytes);
        }
    }
    print(&report);
    ExitCode::from(u8::from(!report.failures.is_empty()))
}

/// Adds the PBN and LIN files of a folder and of the folders in it, in the order of their names.
fn add_files(folder: &Path, paths: &mut Vec<PathBuf>) {
    let entries = std::fs::read_dir(folder).expect("the folder can be read");
    let mut entries: Vec<PathBuf> = entries
        .map(|entry| entry.expect("an entry").path())
        .collect();
    entries.sort();
    for path in entries {
        let ending = path
            .extension()
            .and_then(|ending| ending.to_str())
            .unwrap_or_default();
        if path.is_dir() {
            add_files(&path, paths);
        } else if ["pbn", "lin"]
            .iter()
            .any(|known| ending.eq_ignore_ascii_case(known))
        {
            paths.push(path);
        }
    }
}

fn add(report: &mut Report, name: &str, bytes: &[u8]) {
    let reader = Reader::new(bytes)
        .expect("bytes can be read")
        .keeping_source();
    let format = match reader.format() {
        InputFormat::Lin => "LIN",
        InputFormat::Pbn => "PBN",
        _ => "other",
    };
    let mut boards = Vec::new();
    let mut reasons = Vec::new();
    for board in reader {
        match board {
            Ok(board) => boards.push(board),
            Err(problem) => reasons.push(problem.message),
        }
    }
    let files = report.files.entry(format).or_default();
    files.files += 1;
    if reasons.is_empty() && boards.is_empty() {
        reasons.push("no deal".to_owned());
    }
    if !reasons.is_empty() {
        files.refused += 1;
        for reason in reasons {
            *files.reasons.entry(class_of(&reason)).or_default() += 1;
        }
        return;
    }
    let records = match format {
        "PBN" => pbn_records(bytes),
        "LIN" => lin_records(bytes),
        _ => boards.len() as u64,
    };
    files.records += records;
    files.boards += boards.len() as u64;
    if records != boards.len() as u64 {
        report
            .failures
            .push(format!("{name}: {records} records, {} read", boards.len()));
    }
    let (other, own) = match format {
        "PBN" => (OutputFormat::Lin, OutputFormat::Pbn),
        "LIN" => (OutputFormat::Pbn, OutputFormat::Lin),
        _ => return,
    };
    if format == "PBN" {
        let (text, _) = written(&boards, own);
        let is_same = text == bytes;
        files.same_bytes += u64::from(is_same);
        // UTF-16 is written as UTF-8.
        if !is_same && !bytes.starts_with(&[0xff, 0xfe]) && !bytes.starts_with(&[0xfe, 0xff]) {
            report
                .failures
                .push(format!("{name}: written again with other bytes"));
        }
    }
    let trip = report.round_trips.entry(format).or_default();
    there_and_back(trip, name, &boards, [other, own]);
    for kind in [
        "cards",
        "contract",
        "declarer",
        "result",
        "names",
        "auction",
        "missing records",
    ] {
        if trip.changed.contains_key(kind) {
            report.failures.push(format!("{format}: {kind} changed"));
        }
    }
}

/// Returns the boards as a file, and for each board the losses that the format announces.
fn written(boards: &[Board], format: OutputFormat) -> (Vec<u8>, Vec<Vec<&'static str>>) {
    let (mut bytes, mut writer, mut losses) = (Vec::new(), Writer::new(format), Vec::new());
    for board in boards {
        match board.deal() {
            Some(deal) => writer.write(&mut bytes, board, &deal),
            None => assert!(
                writer.write_partial(&mut bytes, board),
                "PBN and LIN hold parts of deals"
            ),
        }
        let texts = board
            .source
            .as_ref()
            .is_some_and(|source| source.has_texts_before());
        let mut lost = format.loses(board);
        lost.extend(texts.then_some("texts between the boards"));
        losses.push(if writer.has_copied() {
            Vec::new()
        } else {
            lost
        });
    }
    writer
        .finish(&mut bytes)
        .expect("both formats hold all boards");
    (bytes, losses)
}

fn there_and_back(trip: &mut RoundTrip, name: &str, boards: &[Board], formats: [OutputFormat; 2]) {
    let mut now = boards.to_vec();
    let mut losses: Vec<Vec<&'static str>> = vec![Vec::new(); boards.len()];
    for format in formats {
        let (bytes, lost) = written(&now, format);
        losses
            .iter_mut()
            .zip(lost)
            .for_each(|(all, lost)| all.extend(lost));
        let reader = Reader::new(&bytes[..]).expect("bytes can be read");
        now = reader.filter_map(Result::ok).collect();
    }
    trip.boards += boards.len() as u64;
    if now.len() != boards.len() {
        *trip
            .changed
            .entry("missing records".to_owned())
            .or_default() += 1;
        return;
    }
    for ((before, after), lost) in boards.iter().zip(&now).zip(losses) {
        let lost: HashSet<&str> = lost.into_iter().collect();
        for kind in &lost {
            *trip.announced.entry((*kind).to_owned()).or_default() += 1;
        }
        let changes = changes(before, after);
        if !changes.is_empty() && lost.is_empty() {
            trip.silent.push(format!(
                "{name}: board {:?}: {}",
                before.number,
                changes.join(", ")
            ));
        }
        for change in changes {
            *trip.changed.entry(change.to_owned()).or_default() += 1;
        }
    }
}

/// Returns what differs between two boards.
fn changes(before: &Board, after: &Board) -> Vec<&'static str> {
    let record = |board: &Board| board.record.as_deref().cloned().unwrap_or_default();
    let (old, new) = (record(before), record(after));
    let names = |board: &Board| board.names.as_deref().cloned().unwrap_or_default();
    let extras = |board: &Board| board.extras.as_deref().cloned().unwrap_or_default();
    let hands = |board: &Board| {
        board
            .deal()
            .map_or(board.hands, |deal| croupier_formats::Hands::of(&deal))
    };
    let place = |board: &Board| (board.number, board.dealer, board.vulnerable);
    let results = |board: &Board| (board.tricks, board.par, board.par_contracts.clone());
    // Lines of a comment may be folded.
    let comments = |board: &Board| {
        let text = extras(board).comments.join(" ");
        text.split_whitespace().collect::<String>()
    };
    let tags = |board: &Board| {
        let mut tags = extras(board).tags;
        tags.sort_by(|one, other| (&one.name, &one.value).cmp(&(&other.name, &other.value)));
        tags
    };
    let differs = [
        (hands(before) != hands(after), "cards"),
        (
            place(before) != place(after),
            "number, dealer or vulnerability",
        ),
        (old.contract != new.contract, "contract"),
        (old.declarer != new.declarer, "declarer"),
        (old.result != new.result, "result"),
        (old.auction != new.auction, "auction"),
        (old.notes != new.notes, "notes to calls"),
        (old.play != new.play, "play"),
        (old.play_notes != new.play_notes, "notes to cards"),
        (names(before) != names(after), "names"),
        (results(before) != results(after), "tricks and par"),
        (comments(before) != comments(after), "comments"),
        (tags(before) != tags(after), "other tags"),
    ];
    differs
        .into_iter()
        .filter_map(|(differs, what)| differs.then_some(what))
        .collect()
}

/// Returns the number of records in a PBN file: tags `Deal` with cards, and games without one that have a contract.
fn pbn_records(bytes: &[u8]) -> u64 {
    let text = String::from_utf8_lossy(bytes).replace("\r\n", "\n");
    let text = text.replace('\r', "\n");
    let (mut records, mut in_comment) = (0, false);
    let (mut has_deal, mut has_contract) = (false, false);
    for line in text.lines().chain([""]) {
        let is_tag = |name: &str| {
            let rest = line.trim_start().strip_prefix('[').map(str::trim_start);
            let rest = rest.and_then(|rest| rest.strip_prefix(name));
            rest.is_some_and(|rest| rest.trim_start().starts_with('"'))
        };
        if !in_comment && is_tag("Deal") {
            has_deal = true;
            let value = line.split('"').nth(1).unwrap_or_default();
            records += u64::from(!value.trim().is_empty());
        }
        has_contract |= !in_comment && is_tag("Contract");
        let quoted = line.trim_start().starts_with('[') || line.starts_with('%');
        for c in line.chars() {
            in_comment = match in_comment {
                true => c != '}',
                false => c == '{' && !quoted,
            };
        }
        if line.trim().is_empty() && !in_comment {
            records += u64::from(has_contract && !has_deal);
            (has_deal, has_contract) = (false, false);
        }
    }
    records
}

/// Returns the number of pairs `md` in a LIN file.
fn lin_records(bytes: &[u8]) -> u64 {
    let text = String::from_utf8_lossy(bytes).to_ascii_lowercase();
    let text = text.replace(['\r', '\n'], "");
    let parts: Vec<&str> = text.split('|').collect();
    parts
        .chunks(2)
        .filter(|pair| pair[0].trim() == "md")
        .count() as u64
}

/// Returns a message without its particulars: texts in quotes, numbers and seats.
fn class_of(message: &str) -> String {
    let plain: Vec<&str> = message.split(['"', '\'']).step_by(2).collect();
    let word = |word: &str| {
        let name = word.trim_end_matches([':', ',']).to_ascii_lowercase();
        let is_number = !name.is_empty() && name.chars().all(|c| c.is_ascii_digit());
        match ["north", "east", "south", "west"].contains(&name.as_str()) || is_number {
            true => "_".to_owned(),
            false => word.to_owned(),
        }
    };
    let words: Vec<String> = plain.join("_").split(' ').map(word).collect();
    words.join(" ")
}

fn print(report: &Report) {
    for (format, files) in &report.files {
        println!(
            "{format}: {} files, {} read, {} refused",
            files.files,
            files.files - files.refused,
            files.refused
        );
        println!(
            "  records in the text {}, read {}",
            files.records, files.boards
        );
        if *format == "PBN" {
            println!("  written again with the same bytes: {}", files.same_bytes);
        }
        let mut reasons: Vec<_> = files.reasons.iter().collect();
        reasons.sort_by_key(|(_, count)| std::cmp::Reverse(**count));
        for (reason, count) in reasons {
            println!("  refused: {count} boards: {reason}");
        }
    }
    for (format, trip) in &report.round_trips {
        println!("{format} there and back: {} boards", trip.boards);
        for (name, counts) in [("changed", &trip.changed), ("announced", &trip.announced)] {
            for (kind, count) in counts {
                println!("  {name}: {kind}: {count} boards");
            }
        }
        println!("  changed without an announcement: {}", trip.silent.len());
        for line in trip.silent.iter().take(20) {
            println!("    {line}");
        }
    }
    for failure in report.failures.iter().take(40) {
        println!("FAILURE: {failure}");
    }
}
