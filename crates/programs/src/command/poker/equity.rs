//! `croupier poker equity`: computes each player's share of the pot.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::process::ExitCode;

use croupier::poker::equity::{PlayerEquity, ShareIntervals};
use croupier::poker::{Equity, EquityOptions, Query, card_text, format_cards, split_players};
use croupier::session::interval;
use serde::Serialize;
use serde_json::value::RawValue;

use super::outs;
use super::question::{FoldedArgs, MethodArgs, TableArgs, failure, shortened};
use super::share_cells::{IntervalLimits, column_decimals, percent_limits, share_and_limits};
use crate::failure::Failure;
use crate::table::{Listing, ListingCell, TableFormat};

/// Compute each player's share of the pot
///
/// Counts all deals where that takes a few seconds at most, and samples deals at random otherwise. A range is a list of
/// hands, separated by commas or spaces: AhKd, QQ, AKs, AKo, AK, QQ+, 66-, ATs+, 76s+, A5s-A2s, 99-66, JTs-76s, 15%,
/// 5%-20%, Axs, Ah*, AKhh, suited connectors, random. !AKs removes hands, [flush draw] keeps those that have it on the
/// board, @name inserts a range of --ranges-file, and 76s:0.5 or 76s:50% gives a weight. AKs vs QQ+ in one argument
/// are two ranges. Omaha hands have four to six cards (AsAhKdQd), or ranks with x for any
/// card and a suit pattern ds, ss or r: AAxx, AAKKds. In stud, razz, 2-7, A-5 and badugi a hand is the known cards; the
/// other cards are dealt.
#[derive(clap::Args)]
pub struct Args {
    /// Ranges of two to ten players
    #[arg(required = true, num_args = 1.., value_name = "RANGE")]
    ranges: Vec<String>,
    #[command(flatten)]
    table: TableArgs,
    #[command(flatten)]
    folded: FoldedArgs,
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
    let ranges: Vec<String> = args
        .ranges
        .iter()
        .flat_map(|text| split_players(text))
        .map(str::to_owned)
        .collect();
    let query = table.query(&ranges, &args.folded)?;
    let options = args.method.options()?;
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
        query.next_cards(&options).map_err(failure)?
    } else {
        Vec::new()
    };
    let rows: Vec<(String, Equity)> = streets
        .into_iter()
        .chain(
            next.into_iter()
                .map(|next| (card_text(next.card), next.equity)),
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
        TableFormat::Csv | TableFormat::CsvSafe => {
            listing(&equity, &rows).write(args.format, &mut out)?
        }
        TableFormat::Json => write_json(&query, &equity, args.method.seed, &rows, &mut out)?,
    }
    out.flush()?;
    Ok(ExitCode::SUCCESS)
}

/// Returns the players before the flop and on each street up to the board. The cards of the board came in the
/// order in which they are written.
fn street_by_street(
    query: &Query,
    dealt: &[croupier::cards::CardSet],
    options: &EquityOptions,
) -> Result<Vec<(String, Equity)>, Failure> {
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
        rows.push((
            format!("{name} {}", format_cards(street.board))
                .trim_end()
                .to_string(),
            answer,
        ));
    }
    Ok(rows)
}

/// Returns a table with a row for each street or card and columns for each player: the equity, and its limits if some
/// equities are simulated.
fn breakdown(rows: &[(String, Equity)]) -> Listing {
    const COLUMNS: [[&str; 3]; 10] = [
        ["equity1%", "low1%", "high1%"],
        ["equity2%", "low2%", "high2%"],
        ["equity3%", "low3%", "high3%"],
        ["equity4%", "low4%", "high4%"],
        ["equity5%", "low5%", "high5%"],
        ["equity6%", "low6%", "high6%"],
        ["equity7%", "low7%", "high7%"],
        ["equity8%", "low8%", "high8%"],
        ["equity9%", "low9%", "high9%"],
        ["equity10%", "low10%", "high10%"],
    ];
    let is_simulated = rows.iter().any(|(_, equity)| !equity.is_exact());
    let shown = if is_simulated { 3 } else { 1 };
    let players = rows.first().map_or(0, |(_, equity)| equity.players().len());
    let mut columns = vec!["after"];
    for of_player in COLUMNS.iter().take(players) {
        columns.extend(&of_player[..shown]);
    }
    let mut table = Listing::new(&columns);
    for (name, equity) in rows {
        let mut row = vec![ListingCell::Text(name.clone())];
        for player in equity.players() {
            let limits = player.confidence_interval();
            let cells = share_and_limits(player.equity, limits, 100.0, 4);
            row.extend(cells.into_iter().take(shown));
        }
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
    if !query.folded.is_empty() {
        let folded = query
            .folded
            .iter()
            .map(|range| shortened(&range.to_string()));
        write!(out, ", folded {}", folded.collect::<Vec<_>>().join(" and "))?;
    }
    writeln!(out, ": {} deals, {}", equity.deals(), equity.algorithm())?;
    let players = equity.players();
    // Each column has the digits that its widest interval supports; exact figures have four.
    let columns: [(&str, Vec<(f64, IntervalLimits)>); 3] = [
        (
            "equity%",
            shares_of(&players, |it| it.equity, |it| it.equity),
        ),
        ("win%", shares_of(&players, |it| it.win_share, |it| it.win)),
        ("tie%", shares_of(&players, |it| it.tie_share, |it| it.tie)),
    ];
    let mut titles = vec!["player", "range"];
    for (title, _) in &columns {
        titles.push(*title);
        if !equity.is_exact() {
            titles.push("95%");
        }
    }
    let mut table = Listing::new(&titles);
    for (place, player) in players.iter().enumerate() {
        let mut row = vec![
            ListingCell::Whole(place as u64 + 1),
            ListingCell::Text(shortened(&player.range)),
        ];
        for (_, shares) in &columns {
            let decimals = column_decimals(shares.iter().map(|(_, limits)| *limits), 4);
            let (share, limits) = shares[place];
            row.push(ListingCell::Decimal(100.0 * share, decimals));
            row.extend(limits.map(|limits| ListingCell::Text(percent_limits(limits, decimals))));
        }
        table.push(row);
    }
    table.write(TableFormat::Text, out)
}

/// Returns a share of each player with its interval.
fn shares_of(
    players: &[PlayerEquity],
    share: fn(&PlayerEquity) -> f64,
    limits: fn(ShareIntervals) -> (f64, f64),
) -> Vec<(f64, IntervalLimits)> {
    let of = |player: &PlayerEquity| (share(player), player.intervals.map(limits));
    players.iter().map(of).collect()
}

/// Returns the decimals of a player's share: as many as the interval supports, twelve if the share is exact.
fn share_decimals(player: &PlayerEquity) -> usize {
    let interval = player.confidence_interval();
    interval.map_or(12, |(low, high)| interval::decimals(low, high))
}

/// Returns a row for each player, and after a street or card another one each.
fn listing(equity: &Equity, rows: &[(String, Equity)]) -> Listing {
    let columns = [
        "after",
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
        "win_share",
        "win_low",
        "win_high",
        "tie_share",
        "tie_low",
        "tie_high",
    ];
    let has_parts = !rows.is_empty();
    let mut table = Listing::new(if has_parts {
        &columns[..]
    } else {
        &columns[1..]
    });
    push_players(&mut table, has_parts.then_some("now"), equity);
    for (after, equity) in rows {
        push_players(&mut table, Some(after), equity);
    }
    table
}

fn push_players(table: &mut Listing, after: Option<&str>, equity: &Equity) {
    // Counts can have more digits than the number types of the table, hence text.
    let exact = if equity.is_exact() { "true" } else { "false" };
    for (number, player) in (1..).zip(equity.players()) {
        let interval = player.confidence_interval();
        let decimals = share_decimals(&player);
        let share = |share: Option<f64>| {
            share.map_or(ListingCell::Empty, |share| {
                ListingCell::Decimal(share, decimals)
            })
        };
        let mut row: Vec<ListingCell> = after.map(ListingCell::from).into_iter().collect();
        row.extend([
            ListingCell::Whole(number),
            ListingCell::Text(player.range.clone()),
            exact.into(),
            ListingCell::Text(equity.deals().to_string()),
            ListingCell::Text(player.wins.to_string()),
            ListingCell::Text(player.ties.to_string()),
            share(Some(player.equity)),
            share(player.standard_error),
            share(interval.map(|(low, _)| low)),
            share(interval.map(|(_, high)| high)),
        ]);
        let [win, tie] = [
            player.intervals.map(|it| it.win),
            player.intervals.map(|it| it.tie),
        ];
        row.extend(share_and_limits(player.win_share, win, 1.0, 12));
        row.extend(share_and_limits(player.tie_share, tie, 1.0, 12));
        table.push(row);
    }
}

/// Returns a player's equity and shares of deals won and tied, with their limits if they are simulated.
pub(super) fn share_totals(player: &PlayerEquity) -> Vec<(&'static str, ListingCell)> {
    let equity = share_and_limits(player.equity, player.confidence_interval(), 1.0, 12);
    let names = ["equity", "low", "high"];
    let totals = names.into_iter().zip(equity);
    let totals = totals.filter(|(_, cell)| *cell != ListingCell::Empty);
    totals.chain(win_and_tie_shares(player)).collect()
}

/// The answer as JSON.
#[derive(Serialize)]
struct EquityJson<'a> {
    game: String,
    board: String,
    dead: String,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    folded: Vec<String>,
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
    #[serde(flatten)]
    shares: BTreeMap<&'static str, ListingCell>,
}

/// Each player's equity after a street or card.
#[derive(Serialize)]
struct AfterJson<'a> {
    after: &'a str,
    equities: Vec<ListingCell>,
    /// The limits of the equities; left out if all are exact.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    intervals: Vec<[ListingCell; 2]>,
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

/// Returns the shares of deals won and tied, with their limits if they are simulated, by the names of the CSV columns.
fn win_and_tie_shares(player: &PlayerEquity) -> BTreeMap<&'static str, ListingCell> {
    let [win, tie] = [
        player.intervals.map(|it| it.win),
        player.intervals.map(|it| it.tie),
    ];
    let names = [
        "win_share",
        "win_low",
        "win_high",
        "tie_share",
        "tie_low",
        "tie_high",
    ];
    let win = share_and_limits(player.win_share, win, 1.0, 12);
    let tie = share_and_limits(player.tie_share, tie, 1.0, 12);
    let named = names.into_iter().zip(win.into_iter().chain(tie));
    named
        .filter(|(_, cell)| *cell != ListingCell::Empty)
        .collect()
}

fn write_json(
    query: &Query,
    equity: &Equity,
    seed: u64,
    rows: &[(String, Equity)],
    out: &mut impl Write,
) -> io::Result<()> {
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
            shares: win_and_tie_shares(player),
        })
    });
    let breakdown = rows.iter().map(|(after, equity)| {
        let is_simulated = !equity.is_exact();
        let (equities, intervals) = equity
            .players()
            .iter()
            .map(|player| share_and_limits(player.equity, player.confidence_interval(), 1.0, 12))
            .map(|[equity, low, high]| (equity, [low, high]))
            .unzip();
        AfterJson {
            after,
            equities,
            intervals: if is_simulated { intervals } else { Vec::new() },
        }
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
        folded: query.folded.iter().map(ToString::to_string).collect(),
        exact: equity.is_exact(),
        algorithm: equity.algorithm().to_string(),
        seed: (!equity.is_exact()).then_some(seed),
        deals: number(equity.deals())?,
        players: players.collect::<io::Result<_>>()?,
        breakdown: breakdown.collect(),
        winners: winners.collect::<io::Result<_>>()?,
    };
    serde_json::to_writer_pretty(&mut *out, &answer)?;
    writeln!(out)
}
