//! `croupier poker equity`: computes each player's share of the pot.

use std::io::{self, Write};
use std::process::ExitCode;

use croupier::poker::equity::Player;
use croupier::poker::{Equity, EquityOptions, Query, format_cards};
use croupier::session::interval;
use serde::Serialize;
use serde_json::value::RawValue;

use super::outs;
use super::question::{MethodArgs, TableArgs, failure, shortened};
use crate::failure::Failure;
use crate::table::{Cell, Table, TableFormat};

/// Compute each player's share of the pot
///
/// Counts all deals where that takes a few seconds at most, and samples deals at random otherwise. A range is a list of
/// hands, separated by commas: AhKd, QQ, AKs, AKo, AK, QQ+, ATs+, 76s+, A5s-A2s, 99-66, JTs-76s, 15%, 5%-20%, Axs,
/// AKhh, random. !AKs removes hands, [flush draw] keeps those that have it on the board, @name inserts a range of
/// --ranges-file, and 76s:0.5 gives a weight. Omaha hands have four to six cards (AsAhKdQd), or ranks with x for any
/// card and a suit pattern ds, ss or r: AAxx, AAKKds. In stud, razz, 2-7 and badugi a hand is the known cards; the
/// other cards are dealt.
#[derive(clap::Args)]
pub struct Args {
    /// Ranges of two to ten players
    #[arg(required = true, num_args = 1.., value_name = "RANGE")]
    ranges: Vec<String>,
    #[command(flatten)]
    table: TableArgs,
    #[command(flatten)]
    method: MethodArgs,
    /// Also show the equity on every street up to the board
    #[arg(long)]
    streets: bool,
    /// Also show the equity after every card that can come next
    #[arg(long)]
    next: bool,
    /// Format of the answer
    #[arg(short, long, value_enum, default_value_t)]
    format: TableFormat,
}

/// Computes and prints the equities.
pub fn run(args: Args) -> Result<ExitCode, Failure> {
    let table = args.table.read()?;
    let query = table.query(&args.ranges)?;
    let options = args.method.options()?;
    if (args.streets || args.next) && args.format == TableFormat::Csv && !(args.streets ^ args.next)
    {
        return Err(Failure::usage(
            "--format csv writes one table: ask for --streets or --next, not both",
        ));
    }
    if args.next {
        outs::require_a_next_card(&table)?;
    }
    let equity = query.solve(&options).map_err(failure)?;
    let streets = if args.streets {
        street_by_street(&query, &table.dealt, &options)?
    } else {
        Vec::new()
    };
    let next = if args.next {
        outs::after_each_card(&query, &options)?
    } else {
        Vec::new()
    };
    let rows: Vec<(String, Vec<f64>)> = streets
        .into_iter()
        .chain(
            next.into_iter()
                .map(|after| (format_cards(after.card), after.equities)),
        )
        .collect();
    let mut out = io::stdout().lock();
    match args.format {
        TableFormat::Text => {
            write_text(&query, &equity, &mut out)?;
            if !rows.is_empty() {
                writeln!(out)?;
                breakdown(&rows).write(TableFormat::Text, &mut out)?;
            }
        }
        TableFormat::Csv | TableFormat::CsvSafe if !rows.is_empty() => {
            breakdown(&rows).write(args.format, &mut out)?
        }
        TableFormat::Csv | TableFormat::CsvSafe => listing(&equity).write(args.format, &mut out)?,
        TableFormat::Json => write_json(&query, &equity, args.method.seed, &rows, &mut out)?,
    }
    out.flush()?;
    Ok(ExitCode::SUCCESS)
}

/// Returns each player's equity before the flop and on each street up to the board. The cards of the board came in the
/// order in which they are written.
fn street_by_street(
    query: &Query,
    dealt: &[croupier::cards::CardSet],
    options: &EquityOptions,
) -> Result<Vec<(String, Vec<f64>)>, Failure> {
    if query.game.board_cards() == 0 {
        return Err(Failure::usage(format!(
            "--streets: {} has no board",
            query.game
        )));
    }
    let mut rows = Vec::new();
    for (name, cards) in [("preflop", 0), ("flop", 3), ("turn", 4), ("river", 5)] {
        let Some(&board) = dealt.get(cards) else {
            break;
        };
        let mut street = query.clone();
        street.board = board;
        let answer = street.solve(options).map_err(failure)?;
        let equities = answer
            .players()
            .iter()
            .map(|player| player.equity)
            .collect();
        rows.push((
            format!("{name} {}", format_cards(street.board))
                .trim_end()
                .to_string(),
            equities,
        ));
    }
    Ok(rows)
}

/// Returns a table with a row for each street or card and a column for each player.
fn breakdown(rows: &[(String, Vec<f64>)]) -> Table {
    const PLAYERS: [&str; 10] = [
        "equity1%",
        "equity2%",
        "equity3%",
        "equity4%",
        "equity5%",
        "equity6%",
        "equity7%",
        "equity8%",
        "equity9%",
        "equity10%",
    ];
    let players = rows.first().map_or(0, |(_, equities)| equities.len());
    let mut columns = vec!["after"];
    columns.extend(&PLAYERS[..players.min(10)]);
    let mut table = Table::new(&columns);
    for (name, equities) in rows {
        let mut row = vec![Cell::Text(name.clone())];
        row.extend(
            equities
                .iter()
                .map(|equity| Cell::Decimal(100.0 * equity, 4)),
        );
        table.push(row);
    }
    table
}

fn write_text(query: &Query, equity: &Equity, out: &mut impl Write) -> io::Result<()> {
    write!(out, "{}", query.game)?;
    if !query.board.is_empty() {
        write!(out, ", board {}", format_cards(query.board))?;
    }
    if !query.dead.is_empty() {
        write!(out, ", dead {}", format_cards(query.dead))?;
    }
    writeln!(out, ": {} deals, {}", equity.deals(), equity.algorithm())?;
    // Print as many digits as the widest interval supports; exact figures have four.
    let widest = equity
        .players()
        .iter()
        .filter_map(Player::within)
        .reduce(f64::max);
    let decimals = widest.map_or(4, |within| interval::decimals(0.0, 200.0 * within));
    let percent = |share: f64| Cell::Decimal(100.0 * share, decimals);
    let mut columns = vec!["player", "range", "equity%", "win%", "tie%"];
    if !equity.is_exact() {
        columns.push("95%");
    }
    let mut table = Table::new(&columns);
    for (number, player) in (1..).zip(equity.players()) {
        let mut row = vec![
            Cell::Whole(number),
            Cell::Text(shortened(&player.range)),
            percent(player.equity),
            percent(player.win_share),
            percent(player.tie_share),
        ];
        row.extend(player.confidence_interval().map(|(low, high)| {
            let [low, high] = [low, high].map(|share| 100.0 * share);
            Cell::Text(format!("{low:.decimals$} to {high:.decimals$}"))
        }));
        table.push(row);
    }
    table.write(TableFormat::Text, out)
}

/// Returns the decimals of a player's share: as many as the interval supports, twelve if the share is exact.
fn share_decimals(player: &Player) -> usize {
    let interval = player.confidence_interval();
    interval.map_or(12, |(low, high)| interval::decimals(low, high))
}

fn listing(equity: &Equity) -> Table {
    let mut table = Table::new(&[
        "player",
        "range",
        "exact",
        "deals",
        "win",
        "tie",
        "equity",
        "standard_error",
        "low",
        "high",
    ]);
    // Counts can have more digits than the number types of the table, hence text.
    let exact = if equity.is_exact() { "true" } else { "false" };
    for (number, player) in (1..).zip(equity.players()) {
        let interval = player.confidence_interval();
        let decimals = share_decimals(&player);
        let share =
            |share: Option<f64>| share.map_or(Cell::Empty, |share| Cell::Decimal(share, decimals));
        table.push(vec![
            Cell::Whole(number),
            Cell::Text(player.range.clone()),
            exact.into(),
            Cell::Text(equity.deals().to_string()),
            Cell::Text(player.wins.to_string()),
            Cell::Text(player.ties.to_string()),
            share(Some(player.equity)),
            share(player.standard_error),
            share(interval.map(|(low, _)| low)),
            share(interval.map(|(_, high)| high)),
        ]);
    }
    table
}

/// The answer as JSON.
#[derive(Serialize)]
struct EquityJson<'a> {
    game: String,
    board: String,
    dead: String,
    exact: bool,
    algorithm: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    seed: Option<u64>,
    deals: Box<RawValue>,
    players: Vec<PlayerJson<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    breakdown: Vec<AfterJson<'a>>,
    winners: Vec<WinnersJson>,
}

/// A player's share.
#[derive(Serialize)]
struct PlayerJson<'a> {
    range: &'a str,
    win: Box<RawValue>,
    tie: Box<RawValue>,
    equity: Box<RawValue>,
    #[serde(skip_serializing_if = "Option::is_none")]
    standard_error: Option<Box<RawValue>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    low: Option<Box<RawValue>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    high: Option<Box<RawValue>>,
}

/// Each player's equity after a street or card.
#[derive(Serialize)]
struct AfterJson<'a> {
    after: &'a str,
    equities: Vec<Box<RawValue>>,
}

/// Number of deals that these players win.
#[derive(Serialize)]
struct WinnersJson {
    players: Vec<usize>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    low: Vec<usize>,
    deals: Box<RawValue>,
}

/// Returns a JSON number with exactly these digits. Counts can exceed the integer types of the JSON library.
fn number(digits: impl ToString) -> io::Result<Box<RawValue>> {
    Ok(RawValue::from_string(digits.to_string())?)
}

fn write_json(
    query: &Query,
    equity: &Equity,
    seed: u64,
    rows: &[(String, Vec<f64>)],
    out: &mut impl Write,
) -> io::Result<()> {
    let share = |share: f64| number(format_args!("{share:.12}"));
    let found = equity.players();
    let players = found.iter().map(|player| {
        let decimals = share_decimals(player);
        let share = |share: f64| number(format_args!("{share:.decimals$}"));
        let error = |value: Option<f64>| value.map(share).transpose();
        let interval = player.confidence_interval();
        Ok(PlayerJson {
            range: &player.range,
            win: number(player.wins)?,
            tie: number(player.ties)?,
            equity: share(player.equity)?,
            standard_error: error(player.standard_error)?,
            low: error(interval.map(|(low, _)| low))?,
            high: error(interval.map(|(_, high)| high))?,
        })
    });
    let breakdown = rows.iter().map(|(after, equities)| {
        let equities = equities.iter().map(|&equity| share(equity));
        Ok(AfterJson {
            after,
            equities: equities.collect::<io::Result<_>>()?,
        })
    });
    let numbers = |set: u16| {
        let players = (0..query.players.len()).filter(|player| set >> player & 1 == 1);
        players.map(|player| player + 1).collect()
    };
    let outcomes = equity.outcomes();
    let winners = outcomes.iter().map(|(winners, deals)| {
        Ok(WinnersJson {
            players: numbers(winners.main),
            low: numbers(winners.low),
            deals: number(deals)?,
        })
    });
    let answer = EquityJson {
        game: query.game.to_string(),
        board: format_cards(query.board),
        dead: format_cards(query.dead),
        exact: equity.is_exact(),
        algorithm: equity.algorithm().to_string(),
        seed: (!equity.is_exact()).then_some(seed),
        deals: number(equity.deals())?,
        players: players.collect::<io::Result<_>>()?,
        breakdown: breakdown.collect::<io::Result<_>>()?,
        winners: winners.collect::<io::Result<_>>()?,
    };
    serde_json::to_writer_pretty(&mut *out, &answer)?;
    writeln!(out)
}
