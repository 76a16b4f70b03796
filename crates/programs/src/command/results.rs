//! `croupier results`: travellers and rankings.

#[cfg(feature = "records")]
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use croupier::cards::CardSet;
use croupier::formats::results::{BoardResults, EventResults, Scoring, TableResult};
#[cfg(feature = "records")]
use croupier::formats::{Board, Reader};

use crate::failure::Failure;
use crate::table::{Listing, ListingCell, TableFormat, write_named};
use crate::whole_file;

/// Print the travellers and the ranking of an event.
///
/// Reads the results of several tables on a board: PBN and LIN files in which a board occurs several times (both rooms
/// of a match), the score tables of PBN (ScoreTable, TotalScoreTable), and USEBIO files. Scores that a file lacks
/// follow from contract, vulnerability and tricks; results without a score (adjusted, or not played) are named and left
/// out. A file with the ending .xml is written as USEBIO, one with the ending .pdf has the hands, travellers and ranking
/// to print.
#[derive(clap::Args)]
pub struct Args {
    /// File with results; `-` is standard input.
    #[arg(value_name = "FILE")]
    input: PathBuf,
    /// How to score [default: teams if the file has two rooms, else mp].
    #[arg(long, value_enum, value_name = "HOW")]
    scoring: Option<ScoringChoice>,
    /// Print only the ranking.
    #[arg(long)]
    ranking: bool,
    /// Format of the tables.
    #[arg(short, long, value_enum, default_value_t)]
    format: TableFormat,
    /// File for the tables instead of standard output; .xml is USEBIO, .pdf are pages to print.
    #[arg(short, long, value_name = "FILE", default_value = "-")]
    output: PathBuf,
}

/// Ways to score.
#[derive(Clone, Copy, Debug, clap::ValueEnum)]
enum ScoringChoice {
    /// Matchpoints: two for each lower score, one for each equal one.
    Mp,
    /// The average IMPs against each other table.
    Imps,
    /// IMPs against the average score, without the highest and the lowest of five scores or more.
    Butler,
    /// IMPs of two teams: open room against closed room.
    Teams,
}

impl From<ScoringChoice> for Scoring {
    fn from(choice: ScoringChoice) -> Scoring {
        match choice {
            ScoringChoice::Mp => Scoring::Matchpoints,
            ScoringChoice::Imps => Scoring::CrossImps,
            ScoringChoice::Butler => Scoring::Butler,
            ScoringChoice::Teams => Scoring::Teams,
        }
    }
}

/// Runs the command.
///
/// # Errors
/// If the file cannot be read or has no results, or the output cannot be written.
pub fn run(args: Args) -> Result<ExitCode, Failure> {
    let results = read(&args.input)?;
    if !results.left_out.is_empty() {
        let mut boards = results.left_out.clone();
        boards.sort_unstable();
        let boards: Vec<String> = boards.iter().map(u64::to_string).collect();
        eprintln!(
            "croupier: {}: results without a score (adjusted, or not played) are left out, on boards {}",
            args.input.display(),
            boards.join(", ")
        );
    }
    if has_ending(&args.output, "xml") {
        whole_file::write(&args.output, results.to_usebio().as_bytes())?;
        return Ok(ExitCode::SUCCESS);
    }
    let scoring = args
        .scoring
        .map_or_else(|| results.default_scoring(), Scoring::from);
    if has_ending(&args.output, "pdf") {
        let page = pdf(&args.input, &results, scoring)?;
        whole_file::write(&args.output, &page)?;
        return Ok(ExitCode::SUCCESS);
    }
    let mut out = Vec::new();
    let ranking = ranking(&results, scoring);
    match args.format {
        TableFormat::Text => {
            if !results.event.is_empty() {
                writeln!(out, "{}\n", results.event)?;
            }
            for board in results.boards.iter().filter(|_| !args.ranking) {
                match board.section.as_str() {
                    "" => writeln!(out, "Board {}", board.number)?,
                    section => writeln!(out, "Board {}, section {section}", board.number)?,
                }
                traveller(&results, board, scoring, false).write(args.format, &mut out)?;
                writeln!(out)?;
            }
            ranking.write(args.format, &mut out)?;
        }
        format if args.ranking => ranking.write(format, &mut out)?,
        format => {
            let mut rows = Listing::new(&COLUMNS);
            for board in &results.boards {
                add_rows(&results, board, scoring, true, &mut rows);
            }
            write_named(
                &[("travellers", rows), ("ranking", ranking)],
                format,
                &mut out,
            )?;
        }
    }
    whole_file::write(&args.output, &out)?;
    Ok(ExitCode::SUCCESS)
}

fn has_ending(path: &Path, ending: &str) -> bool {
    path.extension()
        .is_some_and(|it| it.eq_ignore_ascii_case(ending))
}

#[cfg(not(feature = "records"))]
fn pdf(_: &Path, _: &EventResults, _: Scoring) -> Result<Vec<u8>, Failure> {
    Err(Failure::usage(
        "this program was built without PDF (feature `records`)",
    ))
}

/// Prints the hands with travellers, and the ranking.
#[cfg(feature = "records")]
fn pdf(input: &Path, results: &EventResults, scoring: Scoring) -> Result<Vec<u8>, Failure> {
    use croupier::records::{DocumentKind, LessonParts, Sheet, Traveller};
    let number_text = |points: f64| match scoring {
        Scoring::CrossImps => format!("{points:.2}"),
        _ => format!("{points}"),
    };
    let travellers = results.boards.iter().map(|board| Traveller {
        number: board.number,
        rows: sorted(board, scoring)
            .into_iter()
            .map(|(table, points)| {
                [
                    results.name_of(&table.north_south).to_owned(),
                    results.name_of(&table.east_west).to_owned(),
                    contract_text(table),
                    table.score.map_or(String::new(), |score| score.to_string()),
                    points.map_or(String::new(), |points| number_text(points[0])),
                ]
            })
            .collect(),
    });
    let ranking = results.ranking(scoring).into_iter().map(|entry| {
        [
            entry.rank.to_string(),
            results.name_of(&entry.name).to_owned(),
            number_text(entry.total),
            entry
                .percent()
                .map_or(String::new(), |percent| format!("{percent:.2}")),
        ]
    });
    let sheet = Sheet {
        kind: DocumentKind::Lesson(LessonParts::default()),
        title: results.event.clone(),
        travellers: travellers.collect(),
        ranking: ranking.collect(),
        ..Sheet::default()
    };
    Ok(croupier::records::pdf(&boards(input, results), &sheet))
}

/// Returns the boards with results, with their cards if the file has them. Each table has results of its own, so the
/// boards keep only what is common to all tables.
#[cfg(feature = "records")]
fn boards(input: &Path, results: &EventResults) -> Vec<Board> {
    let mut cards: BTreeMap<u64, Board> = BTreeMap::new();
    let read =
        File::open(input).and_then(|file| Reader::new(Box::new(file) as Box<dyn Read + Send>));
    for board in read.into_iter().flatten().filter_map(Result::ok) {
        if let Some(number) = board.number {
            cards.entry(number).or_insert(Board {
                record: None,
                names: None,
                ..board
            });
        }
    }
    let numbers = results.boards.iter().map(|board| board.number);
    numbers
        .map(|number| {
            cards
                .remove(&number)
                .unwrap_or_else(|| match results.deals.get(&number) {
                    Some(deal) => Board {
                        number: Some(number),
                        ..Board::of(deal)
                    },
                    None => Board {
                        number: Some(number),
                        ..Board::default()
                    },
                })
        })
        .collect()
}

/// Returns contract, declarer, lead and tricks of a result: `4♠ S ♦A 10`.
#[cfg(feature = "records")]
fn contract_text(table: &TableResult) -> String {
    let Some(contract) = table.contract else {
        let is_passed = table.score == Some(0);
        return if is_passed {
            "pass".to_owned()
        } else {
            String::new()
        };
    };
    let strain = contract.strain.suit();
    let strain = strain.map_or("NT".to_owned(), |suit| suit.symbol().to_string());
    let doubling = ["", "×", "××"][contract.doubling as usize];
    let mut text = format!("{}{strain}{doubling}", contract.level());
    if let Some(declarer) = table.declarer {
        text += &format!(" {}", declarer.letter());
    }
    if let Some(lead) = table.lead {
        // The diagrams of the page have 10, too.
        let rank = lead.rank().letter().to_string().replace('T', "10");
        text += &format!(" {}{rank}", lead.suit().symbol());
    }
    if let Some(tricks) = table.tricks {
        text += &format!(" {tricks}");
    }
    text
}

/// Returns the tables of a board with their points, the best score of North-South first.
fn sorted(board: &BoardResults, scoring: Scoring) -> Vec<(&TableResult, Option<[f64; 2]>)> {
    let points = board.points(scoring);
    let mut rows: Vec<_> = board.tables.iter().zip(points).collect();
    rows.sort_by_key(|(table, _)| std::cmp::Reverse(table.score));
    rows
}

fn read(path: &Path) -> Result<EventResults, Failure> {
    let input: Box<dyn Read> = match path.as_os_str() == "-" {
        true => Box::new(io::stdin()),
        false => Box::new(File::open(path).map_err(|error| Failure::file(path, &error))?),
    };
    EventResults::read(input).map_err(|error| Failure::at(path, error))
}

const COLUMNS: [&str; 10] = [
    "board",
    "north_south",
    "east_west",
    "contract",
    "by",
    "lead",
    "tricks",
    "score",
    "ns_points",
    "ew_points",
];

fn traveller(
    results: &EventResults,
    board: &BoardResults,
    scoring: Scoring,
    numbered: bool,
) -> Listing {
    let columns = if numbered {
        &COLUMNS[..]
    } else {
        &COLUMNS[1..]
    };
    let mut table = Listing::new(columns);
    add_rows(results, board, scoring, numbered, &mut table);
    table
}

/// Adds a row for each table of a board, the best score of North-South first.
fn add_rows(
    results: &EventResults,
    board: &BoardResults,
    scoring: Scoring,
    numbered: bool,
    table: &mut Listing,
) {
    let decimals = if scoring == Scoring::CrossImps { 2 } else { 0 };
    for (result, points) in sorted(board, scoring) {
        let text = |value: Option<String>| value.map_or(ListingCell::Empty, ListingCell::Text);
        let points = |side: usize| {
            points.map_or(ListingCell::Empty, |points| {
                ListingCell::Decimal(points[side], decimals)
            })
        };
        let contract = match (result.contract, result.score) {
            (Some(contract), _) => Some(contract.to_string()),
            (None, Some(0)) => Some("pass".to_owned()),
            (None, _) => None,
        };
        let mut row = vec![
            ListingCell::Text(results.name_of(&result.north_south).to_owned()),
            ListingCell::Text(results.name_of(&result.east_west).to_owned()),
            text(contract),
            text(result.declarer.map(|seat| seat.letter().to_string())),
            text(
                result
                    .lead
                    .map(|card| CardSet::of(card).suit_holdings().to_string()),
            ),
            result.tricks.map_or(ListingCell::Empty, |tricks| {
                ListingCell::Whole(tricks.into())
            }),
            result.score.map_or(ListingCell::Empty, |score| {
                ListingCell::Decimal(score.into(), 0)
            }),
            points(0),
            points(1),
        ];
        if numbered {
            row.insert(0, ListingCell::Whole(board.number));
        }
        table.push(row);
    }
}

fn ranking(results: &EventResults, scoring: Scoring) -> Listing {
    let mut table = Listing::new(&["rank", "name", "boards", "total", "percent"]);
    let decimals = if scoring == Scoring::CrossImps { 2 } else { 0 };
    for entry in results.ranking(scoring) {
        table.push(vec![
            ListingCell::Whole(entry.rank as u64),
            ListingCell::Text(results.name_of(&entry.name).to_owned()),
            ListingCell::Whole(entry.boards as u64),
            ListingCell::Decimal(entry.total, decimals),
            entry.percent().map_or(ListingCell::Empty, |percent| {
                ListingCell::Decimal(percent, 2)
            }),
        ]);
    }
    table
}
