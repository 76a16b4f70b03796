//! `croupier poker history`: shows the equity at every decision of played hands.

use std::collections::BTreeMap;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use croupier::cards::CardSet;
use croupier::poker::history::{HandHistory, HistoryOptions, HistoryView, ReportedDecision, read};
use croupier::poker::{Game, NamedRanges, format_cards};
use serde::Serialize;

use super::question::{MethodArgs, read_names, shortened};
use crate::failure::Failure;
use crate::table::{Listing, ListingCell, TableFormat};

/// Show the equity at every decision of hand histories
///
/// Reads files in the formats PHH (.phh, .phhs) and Open Hand History (.ohh). For every decision it shows the pot, the
/// costs of a call, the share of the pot that a call needs, and the equity of every player who is still in the hand.
/// All cards that the file shows count as known, also those shown later, and folded cards are dead; players whose cards
/// are not shown have any hand or the range of --range. With --hero only this player's cards are known. Draw games have
/// equities after the last draw.
#[derive(clap::Args)]
pub struct Args {
    /// Files; - is standard input
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Player who sees no cards of others: a name, or p1, p2 and so on
    #[arg(long, value_name = "PLAYER")]
    hero: Option<String>,
    /// Range of a player whose cards are not known, as in Ann=QQ+,AKs; may be repeated
    #[arg(long, value_name = "PLAYER=RANGE")]
    range: Vec<String>,
    /// File of named ranges, one per line: name = range
    #[arg(long, value_name = "FILE")]
    ranges_file: Option<PathBuf>,
    /// Show only hand N of each file
    #[arg(long, value_name = "N")]
    hand: Option<usize>,
    #[command(flatten)]
    method: MethodArgs,
    /// Format of the answer
    #[arg(short, long, value_enum, default_value_t)]
    format: TableFormat,
}

/// Standard error at which the simulation of a decision ends: a hand has many decisions.
const STANDARD_ERROR: f64 = 0.001;

/// A hand with its decisions.
struct ReportedHand {
    history: HandHistory,
    decisions: Vec<ReportedDecision>,
}

/// Reads the files and prints the decisions.
pub fn run(args: Args) -> Result<ExitCode, Failure> {
    let equity = args.method.options_within(STANDARD_ERROR)?;
    let mut hands = Vec::new();
    for file in &args.files {
        let text = text_of(file)?;
        let found = read(&text).map_err(|error| Failure::at(file, error))?;
        let count = found.len();
        let wanted = |number: usize| args.hand.is_none_or(|hand| hand == number);
        if args.hand.is_some_and(|hand| hand == 0 || hand > count) {
            return Err(Failure::usage(format!(
                "--hand: {} has {count} hands",
                file.display()
            )));
        }
        for (number, history) in (1..).zip(found).filter(|&(number, _)| wanted(number)) {
            let options = HistoryOptions {
                view: match &args.hero {
                    None => HistoryView::Everybody,
                    Some(name) => HistoryView::Player(player(&history, "--hero", name, number)?),
                },
                ranges: ranges(&args.range, &history, number)?,
                names: names(args.ranges_file.as_deref(), history.game)?,
                equity,
            };
            let report = history.report(&options);
            let report =
                report.map_err(|error| Failure::at(file, format!("hand {number}: {error}")))?;
            hands.push(ReportedHand {
                history,
                decisions: report.decisions,
            });
        }
    }
    let mut out = io::stdout().lock();
    match args.format {
        TableFormat::Json => {
            let hands: Vec<HandJson> = hands.iter().map(HandJson::new).collect();
            serde_json::to_writer_pretty(&mut out, &hands).map_err(io::Error::from)?;
            writeln!(out)?;
        }
        TableFormat::Text => {
            for (place, hand) in hands.iter().enumerate() {
                if place > 0 {
                    writeln!(out)?;
                }
                write_text(hand, &mut out)?;
            }
        }
        format => csv(&hands).write(format, &mut out)?,
    }
    out.flush()?;
    Ok(ExitCode::SUCCESS)
}

fn text_of(file: &Path) -> Result<String, Failure> {
    let wrong = |error| Failure::at(file, error);
    if file == Path::new("-") {
        let mut text = String::new();
        io::stdin().read_to_string(&mut text).map_err(wrong)?;
        return Ok(text);
    }
    std::fs::read_to_string(file).map_err(wrong)
}

fn names(file: Option<&Path>, game: Game) -> Result<NamedRanges, Failure> {
    read_names(file, game, CardSet::EMPTY)
}

fn player(
    history: &HandHistory,
    option: &str,
    name: &str,
    number: usize,
) -> Result<usize, Failure> {
    history.player(name).ok_or_else(|| {
        let known: Vec<&str> = history.players.iter().map(|it| it.name.as_str()).collect();
        Failure::usage(format!(
            "{option}: hand {number} has no player {name:?}; the players are {}",
            known.join(", ")
        ))
    })
}

/// Reads the ranges of players.
fn ranges(
    texts: &[String],
    history: &HandHistory,
    number: usize,
) -> Result<BTreeMap<usize, String>, Failure> {
    let mut ranges = BTreeMap::new();
    for text in texts {
        let (name, range) = text.split_once('=').ok_or_else(|| {
            Failure::usage(format!(
                "--range {text:?}: write PLAYER=RANGE, as in Ann=QQ+,AKs"
            ))
        })?;
        ranges.insert(player(history, "--range", name, number)?, range.to_owned());
    }
    Ok(ranges)
}

/// Returns the equities of the players who are in the hand: `Ann 74.4, Bob 25.6`.
fn equities_text(hand: &ReportedHand, decision: &ReportedDecision) -> String {
    let Ok(equity) = &decision.equity else {
        return String::new();
    };
    let named = hand.history.players.iter().zip(&equity.shares);
    let texts = named.filter_map(|(player, share)| {
        Some(format!(
            "{} {:.1}",
            shortened(&player.name),
            100.0 * (*share)?
        ))
    });
    texts.collect::<Vec<_>>().join(", ")
}

fn write_text(hand: &ReportedHand, out: &mut impl Write) -> io::Result<()> {
    let history = &hand.history;
    match &history.name {
        Some(name) => write!(out, "hand {name}: ")?,
        None => write!(out, "hand: ")?,
    }
    let players = history.players.iter().map(|player| match player.stack {
        Some(stack) => format!("{} ({stack})", player.name),
        None => player.name.clone(),
    });
    writeln!(
        out,
        "{}, {}",
        history.game,
        players.collect::<Vec<_>>().join(", ")
    )?;
    let columns = [
        "street",
        "board",
        "player",
        "action",
        "pot",
        "call",
        "needed%",
        "equity%",
        "all players",
    ];
    let mut listing = Listing::new(&columns);
    for decision in &hand.decisions {
        let player = &history.players[decision.player];
        let percent = |share: Option<f64>| match share {
            Some(share) => ListingCell::Decimal(100.0 * share, 1),
            None => ListingCell::Empty,
        };
        let others = match &decision.equity {
            Ok(_) => equities_text(hand, decision),
            Err(missing) => missing.to_string(),
        };
        listing.push(vec![
            decision.street.into(),
            ListingCell::Text(format_cards(decision.board)),
            ListingCell::Text(shortened(&player.name)),
            ListingCell::Text(decision.action.to_string()),
            ListingCell::Text(decision.pot.to_string()),
            ListingCell::Text(decision.to_call.to_string()),
            percent(decision.needed()),
            percent(decision.own_equity()),
            ListingCell::Text(others),
        ]);
    }
    listing.write(TableFormat::Text, out)
}

/// Returns a row for every decision of all hands.
fn csv(hands: &[ReportedHand]) -> Listing {
    let columns = [
        "hand", "game", "street", "board", "player", "action", "amount", "pot", "to_call",
        "needed", "equity", "low", "high", "players", "missing",
    ];
    let mut listing = Listing::new(&columns);
    for (number, hand) in (1..).zip(hands) {
        for decision in &hand.decisions {
            let chips =
                |chips: croupier::poker::history::Chips| ListingCell::Text(chips.to_string());
            let share = |share: Option<f64>| {
                share.map_or(ListingCell::Empty, |share| ListingCell::Decimal(share, 9))
            };
            let limits = decision
                .equity
                .as_ref()
                .ok()
                .and_then(|it| it.intervals[decision.player]);
            let name = hand.history.name.clone();
            listing.push(vec![
                ListingCell::Text(name.unwrap_or_else(|| format!("{number}"))),
                ListingCell::Text(hand.history.game.to_string()),
                decision.street.into(),
                ListingCell::Text(format_cards(decision.board)),
                ListingCell::Text(hand.history.players[decision.player].name.clone()),
                decision.action.name().into(),
                decision.action.amount().map_or(ListingCell::Empty, chips),
                chips(decision.pot),
                chips(decision.to_call),
                share(decision.needed()),
                share(decision.own_equity()),
                share(limits.map(|(low, _)| low)),
                share(limits.map(|(_, high)| high)),
                ListingCell::Text(equities_text(hand, decision)),
                match &decision.equity {
                    Ok(_) => ListingCell::Empty,
                    Err(missing) => ListingCell::Text(missing.to_string()),
                },
            ]);
        }
    }
    listing
}

/// A hand as JSON.
#[derive(Serialize)]
struct HandJson<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    hand: Option<&'a str>,
    game: String,
    players: Vec<PlayerJson<'a>>,
    decisions: Vec<DecisionJson<'a>>,
}

#[derive(Serialize)]
struct PlayerJson<'a> {
    name: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    stack: Option<f64>,
}

#[derive(Serialize)]
struct DecisionJson<'a> {
    street: &'static str,
    board: String,
    player: &'a str,
    action: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    amount: Option<f64>,
    pot: f64,
    to_call: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    needed: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    equity: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    exact: Option<bool>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    players: Vec<ShareJson<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    missing: Option<String>,
}

#[derive(Serialize)]
struct ShareJson<'a> {
    name: &'a str,
    cards: String,
    equity: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    interval: Option<(f64, f64)>,
}

impl<'a> HandJson<'a> {
    fn new(hand: &'a ReportedHand) -> HandJson<'a> {
        let history = &hand.history;
        let decision = |decision: &'a ReportedDecision| {
            let equity = decision.equity.as_ref().ok();
            let shares = history
                .players
                .iter()
                .enumerate()
                .filter_map(|(place, player)| {
                    let equity = equity?;
                    Some(ShareJson {
                        name: &player.name,
                        cards: format_cards(decision.cards(place)),
                        equity: equity.shares[place]?,
                        interval: equity.intervals[place],
                    })
                });
            DecisionJson {
                street: decision.street,
                board: format_cards(decision.board),
                player: &history.players[decision.player].name,
                action: decision.action.name(),
                amount: decision.action.amount().map(|chips| chips.to_f64()),
                pot: decision.pot.to_f64(),
                to_call: decision.to_call.to_f64(),
                needed: decision.needed(),
                equity: decision.own_equity(),
                exact: equity.map(|equity| equity.is_exact),
                players: shares.collect(),
                missing: decision.equity.as_ref().err().map(ToString::to_string),
            }
        };
        HandJson {
            hand: history.name.as_deref(),
            game: history.game.to_string(),
            players: history
                .players
                .iter()
                .map(|player| PlayerJson {
                    name: &player.name,
                    stack: player.stack.map(|stack| stack.to_f64()),
                })
                .collect(),
            decisions: hand.decisions.iter().map(decision).collect(),
        }
    }
}
