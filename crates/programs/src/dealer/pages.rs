//! What is printed of every produced deal, and where it goes.

use std::io::{self, IsTerminal, Write};
use std::ops::ControlFlow;

use cards::{Deal, Seat, Side, TrickTable, Vulnerability};
use engine::{ProducedDeal, Progress, Sink};
use formats::page::{self, Caption};
use formats::pbn::{DealTags, deal_tags};
use formats::report::{self, Field, Piece};
use formats::statistics::Meter;
use formats::{Board, OutputFormat, Style, Writer, hand, json};
use script::plan::{Action, EsItem, Plan, ReportTerm};

use super::kept::KeptDeals;
use super::progress::ProgressLine;
use super::request::DealFormat;
use super::side_files::SideFiles;

/// Printed text is handed to the system in pieces of this size.
const PIECE: usize = 1 << 16;

/// What the pages of a run have in common.
pub struct Heading {
    /// The script's name as it was typed; nothing for standard input.
    pub script: Option<Vec<u8>>,
    /// The seed: a number, or `key:` and hexadecimal digits.
    pub seed: String,
    /// The title; empty for none.
    pub title: Vec<u8>,
    /// Day of the run, `YYYY.MM.DD`.
    pub date: String,
    /// Number of the first board.
    pub first_board: i64,
    /// Dealer of all boards, if it does not follow their numbers.
    pub dealer: Option<Seat>,
    /// Vulnerability of all boards, if it does not follow their numbers.
    pub vulnerable: Option<Vulnerability>,
    /// Turn each deal so that the cards of this seat come to the dealer of the board.
    pub rotate_from: Option<Seat>,
    /// Vulnerability of `parcontract` without one.
    pub par_vulnerability: Vulnerability,
}

/// Prints the produced deals.
pub struct Pages<'a> {
    /// The look.
    pub style: &'static Style,
    /// What to do with each deal.
    pub plan: &'a Plan,
    /// Titles, numbers, names.
    pub heading: Heading,
    /// Files besides standard output.
    pub files: SideFiles,
    /// What to print instead of the script's printing actions.
    pub format: Option<(DealFormat, Writer)>,
    /// `printpbn` prints nothing.
    pub quiet_pbn: bool,
    /// The classic meter.
    pub meter: Option<Meter>,
    /// A line on the terminal that shows how far the run has come.
    pub progress: Option<ProgressLine>,
    /// Deals for `print` at the end of the run.
    pub kept: KeptDeals,
    /// Whether boards are collected for a page of the browser.
    pub collects_boards: bool,
    /// The first boards of the run, if they are collected.
    pub boards: Vec<Board>,
    /// How many PBN deals have been printed.
    pub printed_pbn: u64,
    /// The first thing that could not be written.
    pub failure: Option<io::Error>,
    /// Printed, but not yet handed to the system.
    pub text: Vec<u8>,
    keeps: bool,
    prompt: bool,
}

impl<'a> Pages<'a> {
    /// Pages in a style, with nothing unusual about them.
    pub fn new(
        style: &'static Style,
        plan: &'a Plan,
        heading: Heading,
        files: SideFiles,
    ) -> Pages<'a> {
        Pages {
            style,
            plan,
            heading,
            files,
            format: None,
            quiet_pbn: false,
            meter: None,
            progress: None,
            kept: KeptDeals::default(),
            collects_boards: false,
            boards: Vec::new(),
            printed_pbn: 0,
            failure: None,
            text: Vec::with_capacity(PIECE + 4096),
            keeps: plan
                .actions
                .iter()
                .any(|action| matches!(action, Action::Print(_))),
            prompt: io::stdout().is_terminal(),
        }
    }

    /// Hands the printed text to the system.
    ///
    /// # Errors
    /// If standard output does not take it.
    pub fn flush(&mut self) -> io::Result<()> {
        let result = io::stdout()
            .write_all(&self.text)
            .and_then(|()| io::stdout().flush());
        self.text.clear();
        result.map_err(|error| match error.kind() {
            io::ErrorKind::BrokenPipe => error,
            kind => io::Error::new(kind, format!("standard output: {error}")),
        })
    }

    /// The number on the board of a produced deal.
    pub fn board_number(&self, ordinal: u64) -> i64 {
        self.heading.first_board.wrapping_add(ordinal as i64 - 1)
    }

    fn try_deal(&mut self, produced: &ProducedDeal<'_>) -> io::Result<()> {
        let number = self.board_number(produced.ordinal);
        let (deal, tricks) = self.turned(number, produced);
        self.files.deal(&deal, tricks.as_ref())?;
        if self.keeps {
            self.kept.push(&deal)?;
        }
        if self.collects_boards && self.boards.len() < super::browser::MOST_BOARDS {
            self.boards.push(self.board(number, &deal, tricks));
        }
        self.actions(produced, number, &deal, tricks.as_ref())?;
        if let Some(mut format) = self.format.take() {
            self.formatted(&mut format, produced, number, &deal, tricks);
            self.format = Some(format);
        }
        if self.text.len() >= PIECE || self.prompt {
            self.flush()?;
        }
        if let Some(text) = self
            .meter
            .and_then(|meter| meter.after(produced.ordinal as i64))
        {
            // A meter that cannot be shown is no reason to stop.
            let _ = io::stderr().write_all(text.as_bytes());
        }
        Ok(())
    }

    /// The deal as it is printed: turned to fit the dealer of its board, if that was asked for.
    fn turned(&self, number: i64, produced: &ProducedDeal<'_>) -> (Deal, Option<TrickTable>) {
        let Some(from) = self.heading.rotate_from else {
            return (produced.deal, produced.tricks);
        };
        let dealer = Seat::dealer_of_board(number.rem_euclid(16) as u64);
        let steps = (dealer.index() + 4 - from.index()) % 4;
        let tricks = produced.tricks.and_then(|table| {
            let mut rows = table.rows();
            rows.rotate_right(steps);
            TrickTable::new(rows)
        });
        (produced.deal.rotated(steps), tricks)
    }

    /// A produced deal with what is known about its board.
    fn board(&self, number: i64, deal: &Deal, tricks: Option<TrickTable>) -> Board {
        let board = Board {
            dealer: self.heading.dealer,
            vulnerable: self.heading.vulnerable,
            tricks,
            ..Board::of(deal)
        };
        board.with_number(number.max(1) as u64)
    }

    fn actions(
        &mut self,
        produced: &ProducedDeal<'_>,
        number: i64,
        deal: &Deal,
        tricks: Option<&TrickTable>,
    ) -> io::Result<()> {
        let plan = self.plan;
        let (mut pages, mut sides) = (0, 0);
        for (index, action) in plan.actions.iter().enumerate() {
            let values = produced.values(index);
            let mut caption = Caption {
                title: &self.heading.title,
                produced: produced.ordinal,
                board: number,
                earlier: 0,
            };
            let mut side_page = |out: &mut Vec<u8>, side: Side| {
                caption.earlier = sides;
                sides += 1;
                page::two_hands(out, self.style, &caption, deal, side);
            };
            match action {
                Action::PrintAll => {
                    let caption = Caption {
                        earlier: pages,
                        ..caption
                    };
                    pages += 1;
                    page::four_hands(&mut self.text, self.style, &caption, deal);
                }
                Action::PrintEw => side_page(&mut self.text, Side::EastWest),
                Action::PrintNs => side_page(&mut self.text, Side::NorthSouth),
                Action::PrintSide(side) => side_page(&mut self.text, *side),
                Action::PrintPbn => self.pbn(number, deal),
                Action::PrintCompact(_) => {
                    hand::compact(&mut self.text, deal, values.first().copied())
                }
                Action::PrintOneLine(_) => {
                    hand::one_line(&mut self.text, deal, values.first().copied())
                }
                Action::PrintEs(items) => pieces(&mut self.text, items, values),
                Action::PrintReport(terms) => self.report(terms, values, deal, tricks, None)?,
                Action::CsvReport(terms) => {
                    let file = self.files.csv.take();
                    self.report(terms, values, deal, tricks, file)?;
                }
                Action::ExportSeat(seat) => {
                    self.export(|out| hand::export_seat(out, deal, *seat))?
                }
                Action::ExportSide(side) => {
                    self.export(|out| hand::export_side(out, deal, *side))?
                }
                _ => {}
            }
        }
        Ok(())
    }

    fn pbn(&mut self, number: i64, deal: &Deal) {
        if self.quiet_pbn {
            return;
        }
        self.printed_pbn += 1;
        let heading = &self.heading;
        let tags = DealTags {
            script: heading.script.as_deref(),
            seed: &heading.seed,
            title: &heading.title,
            date: &heading.date,
            board: number,
            dealer: heading.dealer,
            vulnerable: heading.vulnerable,
        };
        deal_tags(&mut self.text, self.style, &tags, deal);
    }

    fn report(
        &mut self,
        terms: &[ReportTerm],
        values: &[i32],
        deal: &Deal,
        tricks: Option<&TrickTable>,
        file: Option<super::side_files::Output>,
    ) -> io::Result<()> {
        let table = tricks.copied().unwrap_or_default();
        let mut values = values.iter().copied();
        let pars: Vec<String> = terms
            .iter()
            .map(|term| match term {
                ReportTerm::ParContract(vulnerable) => {
                    solver::par(&table, vulnerable.unwrap_or(self.heading.par_vulnerability))
                        .to_string()
                }
                _ => String::new(),
            })
            .collect();
        let fields: Vec<Field> = terms
            .iter()
            .zip(&pars)
            .map(|(term, par)| match term {
                ReportTerm::Hand(seat) => Field::Hand(*seat),
                ReportTerm::Side(side) => Field::Hands(*side),
                ReportTerm::Deal => Field::Deal,
                ReportTerm::Value(_) => Field::Value(values.next().unwrap_or(0)),
                ReportTerm::Text(text) => Field::Text(text.as_bytes()),
                ReportTerm::Tricks(seat) => Field::Tricks(&table, *seat),
                ReportTerm::AllTricks => Field::AllTricks(&table),
                ReportTerm::ParContract(_) => Field::Text(par.as_bytes()),
            })
            .collect();
        let Some(mut file) = file else {
            report::line(&mut self.text, deal, &fields);
            return Ok(());
        };
        let mut line = Vec::with_capacity(128);
        report::line(&mut line, deal, &fields);
        let written = file.write(&line);
        self.files.csv = Some(file);
        written
    }

    /// The names of the columns, before the first line of a new report file.
    ///
    /// # Errors
    /// If they cannot be written.
    pub fn csv_header(&mut self) -> io::Result<()> {
        let mut reports = self.plan.actions.iter().filter_map(|action| match action {
            Action::CsvReport(terms) => Some(terms),
            _ => None,
        });
        // Two reports of different columns in one file have no common header.
        let (Some(terms), None) = (reports.next(), reports.next()) else {
            return Ok(());
        };
        match &mut self.files.csv {
            Some(file) if file.is_new => file.write(column_names(self.plan, terms).as_bytes()),
            _ => Ok(()),
        }
    }

    fn export(&mut self, write: impl FnOnce(&mut Vec<u8>)) -> io::Result<()> {
        match &mut self.files.export {
            None => {
                write(&mut self.text);
                Ok(())
            }
            Some(file) => {
                let mut line = Vec::with_capacity(64);
                write(&mut line);
                file.write(&line)
            }
        }
    }

    /// One deal in the format of the command line.
    fn formatted(
        &mut self,
        (format, writer): &mut (DealFormat, Writer),
        produced: &ProducedDeal<'_>,
        number: i64,
        deal: &Deal,
        tricks: Option<TrickTable>,
    ) {
        let caption = Caption {
            title: &self.heading.title,
            produced: produced.ordinal,
            board: number,
            earlier: 0,
        };
        let mut board = self.board(number, deal, tricks);
        match format {
            DealFormat::PrintEw => {
                page::two_hands(&mut self.text, self.style, &caption, deal, Side::EastWest)
            }
            DealFormat::PrintNs => {
                page::two_hands(&mut self.text, self.style, &caption, deal, Side::NorthSouth)
            }
            DealFormat::PrintPbn => self.pbn(number, deal),
            DealFormat::Exchange(OutputFormat::Page) => {
                page::four_hands(&mut self.text, self.style, &caption, deal)
            }
            DealFormat::Exchange(OutputFormat::Json) => {
                let values: Vec<i64> = (0..self.plan.actions.len())
                    .flat_map(|action| produced.values(action))
                    .map(|&value| i64::from(value))
                    .collect();
                json::write(&mut self.text, &board, deal, |object| {
                    if !values.is_empty() {
                        object.integers("values", values);
                    }
                });
            }
            DealFormat::Exchange(OutputFormat::Pbn) => {
                let names = formats::Names {
                    event: String::from_utf8_lossy(&self.heading.title).into_owned(),
                    date: self.heading.date.clone(),
                    ..formats::Names::default()
                };
                board.names = Some(Box::new(names));
                board.par = board.tricks.map(|table| {
                    solver::par(&table, board.vulnerable.unwrap_or(Vulnerability::None)).score
                });
                writer.write(&mut self.text, &board, deal);
            }
            DealFormat::Exchange(OutputFormat::Lin) => {
                // The hand viewer and some readers want names before every board.
                let names = formats::Names {
                    players: cards::BySeat(["North", "East", "South", "West"]).map(String::from),
                    ..formats::Names::default()
                };
                board.names = Some(Box::new(names));
                writer.write(&mut self.text, &board, deal);
            }
            DealFormat::Exchange(_) => writer.write(&mut self.text, &board, deal),
        }
    }
}

/// The header row of a report: expressions as they stand in the script, tricks as `N_C` to `W_N`.
fn column_names(plan: &Plan, terms: &[ReportTerm]) -> String {
    let tricks = |seat: Seat| {
        cards::Strain::ALL.map(|strain| format!("{}_{}", seat.letter(), strain.letter()))
    };
    let mut names: Vec<String> = Vec::new();
    for term in terms {
        match term {
            ReportTerm::Hand(seat) => names.push(seat.name().into()),
            ReportTerm::Side(side) => names.push(side.letters().into()),
            ReportTerm::Deal => names.push("deal".into()),
            ReportTerm::Text(_) => names.push("text".into()),
            ReportTerm::Tricks(seat) => names.extend(tricks(*seat)),
            ReportTerm::AllTricks => names.extend(Seat::ALL.into_iter().flat_map(tricks)),
            ReportTerm::ParContract(_) => names.push("parcontract".into()),
            ReportTerm::Value(node) => {
                let place = plan.sources.place(plan.facts_of(*node).span);
                let text: String = place
                    .text
                    .chars()
                    .skip(place.mark_from)
                    .take(place.mark_length)
                    .collect();
                // A comma inside would be read as the end of the column; the rows quote with apostrophes.
                names.push(if text.contains(',') {
                    format!("'{text}'")
                } else {
                    text
                });
            }
        }
    }
    names.join(",") + "\n"
}

/// `printes`.
fn pieces(out: &mut Vec<u8>, items: &[EsItem], values: &[i32]) {
    let mut values = values.iter().copied();
    for item in items {
        let piece = match item {
            EsItem::Value(_) => Piece::Value(values.next().unwrap_or(0)),
            EsItem::Text(text) => Piece::Text(text.as_bytes()),
            EsItem::Newline => Piece::Text(b"\n"),
        };
        report::pieces(out, &[piece]);
    }
}

impl Sink for Pages<'_> {
    fn wants_deals(&self) -> bool {
        self.meter.is_some()
            || self.collects_boards
            || self.format.is_some()
            || self.files.wants_deals()
            || self.plan.actions.iter().any(prints_deals)
    }

    fn on_deal(&mut self, deal: &ProducedDeal<'_>) -> ControlFlow<()> {
        match self.try_deal(deal) {
            Ok(()) => ControlFlow::Continue(()),
            Err(error) => {
                self.failure = Some(error);
                ControlFlow::Break(())
            }
        }
    }

    fn on_progress(&mut self, progress: Progress) {
        if let Some(line) = &mut self.progress {
            line.show(progress);
        }
        // Whoever reads along should not wait for a full buffer.
        if !self.text.is_empty()
            && let Err(error) = self.flush()
        {
            self.failure.get_or_insert(error);
        }
    }
}

/// Whether an action does something with each deal, or needs it at the end.
pub fn prints_deals(action: &Action) -> bool {
    !matches!(
        action,
        Action::Average { .. }
            | Action::Frequency { .. }
            | Action::Frequency2 { .. }
            | Action::BucketFrequency { .. }
            | Action::BucketFrequency2 { .. }
            | Action::EvalContract { .. }
    )
}
