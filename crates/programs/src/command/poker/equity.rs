//! `croupier poker equity`: everybody's share of the pot.

use std::io::{self, Write};
use std::process::ExitCode;

use poker::equity::Player;
use poker::{Equity, Method, Options, Query, Range, Stop, format_cards, parse_cards};

use super::GameArgs;
use crate::failure::Failure;
use crate::table::{Cell, Table, TableFormat, json_string};

/// Tell everybody's share of the pot
///
/// Counts all deals where that is possible in a few seconds, and draws deals at random otherwise.
/// Ranges are hands with commas between them: AhKd, QQ, AKs, AKo, AK, QQ+, ATs+, 76s+, A5s-A2s,
/// 99-66, JTs-76s, random; any of them with a weight, as in 76s:0.5. Omaha hands have four cards
/// (AsAhKdQd) or ranks with x for any card and a suit pattern ds, ss or r: AAxx, AAKKds.
#[derive(clap::Args)]
pub struct Args {
    /// The players' ranges, two to ten
    #[arg(required = true, num_args = 1.., value_name = "RANGE")]
    ranges: Vec<String>,
    /// The board: up to five cards, as in Kh7d2c
    #[arg(long, value_name = "CARDS", default_value = "")]
    board: String,
    /// Cards nobody can have
    #[arg(long, value_name = "CARDS", default_value = "")]
    dead: String,
    #[command(flatten)]
    game: GameArgs,
    /// Count all deals, however long it takes
    #[arg(long, conflicts_with = "monte_carlo")]
    exact: bool,
    /// Draw deals at random even where counting is possible
    #[arg(long)]
    monte_carlo: bool,
    /// Draw at most this many deals
    #[arg(long, value_name = "N", default_value_t = Stop::default().samples)]
    samples: u64,
    /// Stop drawing when every player's standard error is at most this
    #[arg(long, value_name = "SHARE", default_value_t = Stop::default().standard_error)]
    error: f64,
    /// The seed of the random deals; the same seed gives the same answer
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// Threads [default: all]; the answer does not depend on them
    #[arg(long, value_name = "N")]
    threads: Option<usize>,
    /// How to write the answer
    #[arg(long, value_enum, default_value_t)]
    format: TableFormat,
}

/// Computes and prints.
pub fn run(args: Args) -> Result<ExitCode, Failure> {
    let query = query(&args)?;
    let equity = query.solve(&options(&args)?).map_err(|error| {
        if error.is_misuse() {
            Failure::usage(error)
        } else {
            Failure::runtime(error)
        }
    })?;
    let mut out = io::stdout().lock();
    match args.format {
        TableFormat::Text => write_text(&query, &equity, &mut out)?,
        TableFormat::Csv => table(&equity).write(TableFormat::Csv, &mut out)?,
        TableFormat::Json => write_json(&query, &equity, args.seed, &mut out)?,
    }
    out.flush()?;
    Ok(ExitCode::SUCCESS)
}

fn query(args: &Args) -> Result<Query, Failure> {
    let game = args.game.game()?;
    let range = |text: &String| {
        Range::parse(text, game).map_err(|error| Failure::usage(format!("range {text:?}: {error}")))
    };
    let cards = |name: &str, text: &str| {
        parse_cards(text).map_err(|error| Failure::usage(format!("{name} {text:?}: {error}")))
    };
    let players = args.ranges.iter().map(range).collect::<Result<_, _>>()?;
    let (board, dead) = (cards("--board", &args.board)?, cards("--dead", &args.dead)?);
    Ok(Query {
        game,
        players,
        board,
        dead,
    })
}

fn options(args: &Args) -> Result<Options, Failure> {
    if args.samples == 0 {
        return Err(Failure::usage("--samples: at least one deal is needed"));
    }
    if !(0.0..1.0).contains(&args.error) {
        return Err(Failure::usage(
            "--error: a share from 0 to 1 is needed, as in 0.0005",
        ));
    }
    let method = match (args.exact, args.monte_carlo) {
        (true, _) => Method::Exact,
        (_, true) => Method::MonteCarlo,
        _ => Method::Auto,
    };
    let usual = Options::default();
    Ok(Options {
        method,
        threads: args.threads.unwrap_or(usual.threads).clamp(1, 1024),
        seed: args.seed,
        stop: Stop {
            samples: args.samples,
            standard_error: args.error,
        },
    })
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
    let percent = |share: f64| Cell::Decimal(100.0 * share, 4);
    let mut columns = vec!["player", "range", "equity%", "win%", "tie%"];
    if !equity.is_exact() {
        columns.push("95%_within");
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
        row.extend(player.standard_error.map(|error| percent(1.96 * error)));
        table.push(row);
    }
    table.write(TableFormat::Text, out)
}

/// Long ranges would push the numbers off the screen.
fn shortened(range: &str) -> String {
    const LONGEST: usize = 40;
    if range.chars().count() <= LONGEST {
        return range.to_string();
    }
    range
        .chars()
        .take(LONGEST - 3)
        .chain("...".chars())
        .collect()
}

fn table(equity: &Equity) -> Table {
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
    // Counts can have more digits than any number type of the table: they are written as text.
    let exact = if equity.is_exact() { "true" } else { "false" };
    for (number, player) in (1..).zip(equity.players()) {
        let interval = player.confidence_interval();
        let share =
            |share: Option<f64>| share.map_or(Cell::Empty, |share| Cell::Decimal(share, 12));
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

fn write_json(query: &Query, equity: &Equity, seed: u64, out: &mut impl Write) -> io::Result<()> {
    writeln!(out, "{{")?;
    writeln!(out, "  \"game\": \"{}\",", query.game)?;
    writeln!(out, "  \"board\": \"{}\",", format_cards(query.board))?;
    writeln!(out, "  \"dead\": \"{}\",", format_cards(query.dead))?;
    writeln!(out, "  \"exact\": {},", equity.is_exact())?;
    writeln!(out, "  \"algorithm\": \"{}\",", equity.algorithm())?;
    if !equity.is_exact() {
        writeln!(out, "  \"seed\": {seed},")?;
    }
    writeln!(out, "  \"deals\": {},", equity.deals())?;
    let players: Vec<String> = equity.players().iter().map(player_json).collect();
    writeln!(
        out,
        "  \"players\": [\n    {}\n  ],",
        players.join(",\n    ")
    )?;
    let winners: Vec<String> = equity
        .by_winners()
        .iter()
        .map(|(set, deals)| {
            let players = (0..query.players.len()).filter(|player| set >> player & 1 == 1);
            let numbers: Vec<String> = players.map(|player| (player + 1).to_string()).collect();
            format!(
                "{{\"players\": [{}], \"deals\": {deals}}}",
                numbers.join(", ")
            )
        })
        .collect();
    writeln!(
        out,
        "  \"winners\": [\n    {}\n  ]\n}}",
        winners.join(",\n    ")
    )
}

fn player_json(player: &Player) -> String {
    let mut text = format!(
        "{{\"range\": {}, \"win\": {}, \"tie\": {}, \"equity\": {:.12}",
        json_string(&player.range),
        player.wins,
        player.ties,
        player.equity
    );
    if let (Some(error), Some((low, high))) = (player.standard_error, player.confidence_interval())
    {
        text +=
            &format!(", \"standard_error\": {error:.9}, \"low\": {low:.9}, \"high\": {high:.9}");
    }
    text + "}"
}
