//! `croupier poker matrix`: shows the equities of the 169 starting hands in a grid.

use std::fmt::Write as _;
use std::io::{self, Write};
use std::iter;
use std::process::ExitCode;

use clap::ValueEnum;
use croupier::poker::format_cards;
use croupier::poker::grid::{Grid, GridCell, HandKind};
use croupier::render::html::Page;

use super::answer::{Answer, equity_totals};
use super::question::{ColourMode, FoldedArgs, MethodArgs, TableArgs, failure, shortened};
use super::share_cells::{IntervalLimits, column_decimals, percent_limits, share_and_limits};
use crate::failure::Failure;
use crate::table::{Listing, ListingCell, TableFormat};

/// Show the equity of the 169 kinds of starting hands in a grid
///
/// Pairs are on the diagonal, suited hands above it, offsuit hands below. A cell shows the mean over those hands of its
/// kind that are in the range and contain no card of the board and no dead card.
#[derive(clap::Args)]
pub struct Args {
    /// Range to show
    #[arg(default_value = "random")]
    range: String,
    /// Opponents' ranges
    #[arg(long, value_name = "RANGE", default_value = "random", num_args = 1..)]
    against: Vec<String>,
    #[command(flatten)]
    table: TableArgs,
    #[command(flatten)]
    folded: FoldedArgs,
    #[command(flatten)]
    method: MethodArgs,
    /// Format of the grid
    #[arg(short, long, value_enum, default_value_t)]
    format: GridFormat,
    /// When to colour the text
    #[arg(long, value_enum, default_value_t)]
    color: ColourMode,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
enum GridFormat {
    /// A grid of percentages
    #[default]
    Text,
    /// A line for each kind of hand
    Csv,
    /// An array of the kinds of hands
    Json,
    /// A page with a heat map
    Html,
}

/// Computes and prints the grid.
pub fn run(args: Args) -> Result<ExitCode, Failure> {
    let table = args.table.read()?;
    table.require_two_hole_cards("matrix")?;
    let mut ranges = vec![args.range.clone()];
    ranges.extend(args.against.iter().cloned());
    let query = table.query(&ranges, &args.folded)?;
    let options = args.method.options()?;
    let hands = query.by_hand(0, &options).map_err(failure)?;
    let grid = Grid::new(&hands);
    let mut out = io::stdout().lock();
    let title = {
        let board = if table.board.is_empty() {
            String::new()
        } else {
            format!(" on {}", format_cards(table.board))
        };
        let against: Vec<String> = args.against.iter().map(|range| shortened(range)).collect();
        format!(
            "{}: {} against {}{board}",
            table.game,
            shortened(&args.range),
            against.join(" and ")
        )
    };
    match args.format {
        GridFormat::Text => {
            let coloured = args.color.is_on(&out);
            writeln!(out, "{title}")?;
            out.write_all(text(&grid, coloured).as_bytes())?;
        }
        GridFormat::Csv => listing(&grid).write(TableFormat::Csv, &mut out)?,
        GridFormat::Json => {
            let answer = Answer {
                query: &query,
                totals: equity_totals(&query, &options)?,
                rows: ("kinds", &listing(&grid)),
            };
            answer.write(&mut out)?;
        }
        GridFormat::Html => out.write_all(html(&grid, &title).as_bytes())?,
    }
    out.flush()?;
    Ok(ExitCode::SUCCESS)
}

/// Formats a row for each rank: the names, and below them the equities in percent.
fn text(grid: &Grid, coloured: bool) -> String {
    let mut text = String::new();
    // A cell has room for one decimal.
    let decimals = column_decimals(
        GridCell::all().map(|cell| equity_limits(grid.kind(cell))),
        1,
    )
    .min(1);
    // Weights have a line of their own if they differ from one.
    let is_weighted = GridCell::all().any(|cell| partial_weight(grid.kind(cell)).is_some());
    for row in 0..13 {
        for line in 0..if is_weighted { 3 } else { 2 } {
            for column in 0..13 {
                let kind = grid.kind(GridCell { row, column });
                let equity = kind.equity();
                let cell = match (line, equity) {
                    (0, _) => format!("{:<4}", GridCell { row, column }.name()),
                    (2, _) => match partial_weight(kind) {
                        Some(weight) => format!("{:<4}", percent_text(weight)),
                        None => "    ".to_string(),
                    },
                    (_, Some(equity)) => format!("{:<4.decimals$}", 100.0 * equity),
                    (_, None) => "·   ".to_string(),
                };
                match equity.filter(|_| coloured) {
                    Some(equity) => {
                        let [r, g, b] = heat(equity);
                        let _ = write!(text, "\x1b[48;2;{r};{g};{b}m\x1b[30m {cell}\x1b[0m");
                    }
                    None => {
                        let _ = write!(text, " {cell}");
                    }
                }
            }
            let end = text.trim_end_matches(' ').len();
            text.truncate(end);
            text.push('\n');
        }
    }
    let whole = grid.whole();
    let limits = equity_limits(&whole);
    let digits = column_decimals(iter::once(limits), 4);
    let equity = 100.0 * whole.equity().unwrap_or(f64::NAN);
    let _ = write!(text, "{} hands, equity {equity:.digits$} %", whole.hands);
    if let Some(limits) = limits {
        let _ = write!(text, " (95 %: {})", percent_limits(limits, digits));
    }
    text.push('\n');
    text
}

/// Returns the mean weight of a kind if it is not one.
fn partial_weight(kind: &HandKind) -> Option<f64> {
    kind.mean_weight().filter(|weight| *weight != 1.0)
}

/// Returns a share in whole percent, at least `<1%` and at most `>99%` if it is neither nothing nor all.
fn percent_text(share: f64) -> String {
    match (100.0 * share).round() as u64 {
        0 if share > 0.0 => "<1%".to_string(),
        100 if share < 1.0 => ">99%".to_string(),
        percent => format!("{percent}%"),
    }
}

/// Returns the interval of a kind's equity; `None` if it is exact.
fn equity_limits(kind: &HandKind) -> IntervalLimits {
    kind.intervals().map(|intervals| intervals.equity)
}

fn listing(grid: &Grid) -> Listing {
    let is_simulated = grid.whole().intervals().is_some();
    let mut table = Listing::new(match is_simulated {
        true => &[
            "hand", "combos", "weight", "equity", "low", "high", "win", "win_low", "win_high",
            "tie", "tie_low", "tie_high",
        ],
        false => &["hand", "combos", "weight", "equity", "win", "tie"],
    });
    let shown = if is_simulated { 3 } else { 1 };
    for cell in GridCell::all() {
        let kind = grid.kind(cell);
        let intervals = kind.intervals();
        let weight = kind.mean_weight();
        let mut row = vec![
            ListingCell::Text(cell.name()),
            ListingCell::Whole(kind.hands),
            weight.map_or(ListingCell::Empty, |weight| ListingCell::Decimal(weight, 6)),
        ];
        for (share, limits) in [
            (kind.equity(), intervals.map(|it| it.equity)),
            (kind.win(), intervals.map(|it| it.win)),
            (kind.tie(), intervals.map(|it| it.tie)),
        ] {
            let cells = match share {
                Some(share) => share_and_limits(share, limits, 1.0, 9),
                None => [ListingCell::Empty, ListingCell::Empty, ListingCell::Empty],
            };
            row.extend(cells.into_iter().take(shown));
        }
        table.push(row);
    }
    table
}

fn html(grid: &Grid, title: &str) -> String {
    let mut html = String::from(
        "<style>.grid{border-collapse:collapse;font:13px/1.2 system-ui,sans-serif;color:#000}\
         .grid td{width:3.4em;height:3em;text-align:center;border:1px solid #fff}\
         .grid small{display:block}.grid .weight{font-size:10px}</style>\n<table class=\"grid\">\n",
    );
    for row in 0..13 {
        html.push_str("<tr>");
        for column in 0..13 {
            let kind = grid.kind(GridCell { row, column });
            let name = GridCell { row, column }.name();
            let _ = match kind.equity() {
                Some(equity) => {
                    let [r, g, b] = heat(equity);
                    let percent = 100.0 * equity;
                    let limits = equity_limits(kind);
                    let digits = column_decimals(iter::once(limits), 4);
                    let shown = digits.min(1);
                    let (weight, of_weight) = match partial_weight(kind).map(percent_text) {
                        Some(text) => {
                            let text = text.replace('<', "&lt;").replace('>', "&gt;");
                            (
                                format!("<small class=\"weight\">{text}</small>"),
                                format!(" of weight {text}"),
                            )
                        }
                        None => (String::new(), String::new()),
                    };
                    let interval = limits.map_or_else(String::new, |limits| {
                        format!(" (95 %: {})", percent_limits(limits, digits))
                    });
                    write!(
                        html,
                        "<td style=\"background:rgb({r},{g},{b})\" \
                         title=\"{name}: {percent:.digits$} %{interval}, {} hands{of_weight}\">\
                         {name}<small>{percent:.shown$}</small>{weight}</td>",
                        kind.hands
                    )
                }
                None => write!(html, "<td style=\"background:#ddd;color:#888\">{name}</td>"),
            };
        }
        html.push_str("</tr>\n");
    }
    html.push_str("</table>\n");
    let mut page = Page::new(title);
    page.raw(&html);
    page.paragraph(
        "Equity in percent; weights other than 100 % below it. Pairs on the diagonal, suited hands above it, \
         offsuit hands below.",
    );
    page.finish()
}

/// Returns red for 0, yellow for one half and green for 1, all light enough for black text.
fn heat(equity: f64) -> [u8; 3] {
    let mix = |from: f64, to: f64, share: f64| (from + (to - from) * share) as u8;
    let share = equity.clamp(0.0, 1.0);
    if share < 0.5 {
        let part = share * 2.0;
        [
            mix(240.0, 250.0, part),
            mix(110.0, 225.0, part),
            mix(100.0, 110.0, part),
        ]
    } else {
        let part = share * 2.0 - 1.0;
        [
            mix(250.0, 90.0, part),
            mix(225.0, 200.0, part),
            mix(110.0, 110.0, part),
        ]
    }
}
