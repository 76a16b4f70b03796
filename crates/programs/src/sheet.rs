//! Printed boards: the switches of all commands that write PDF or HTML sheets.

use croupier::cards::Seat;
use croupier::formats::{Board, Reader};
use croupier::render::html::HandRecord;

use crate::failure::Failure;

/// Formats of printed sheets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SheetFormat {
    /// PDF.
    Pdf,
    /// An HTML page, which a browser can print.
    Html,
}

impl SheetFormat {
    /// Names of the formats.
    pub const NAMES: [(&'static str, SheetFormat); 2] =
        [("pdf", SheetFormat::Pdf), ("html", SheetFormat::Html)];
}

/// Paper size.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub enum PaperChoice {
    /// 210 by 297 mm.
    #[default]
    A4,
    /// 8.5 by 11 inches.
    Letter,
}

/// Layout of printed boards.
#[derive(Clone, Debug, Default, clap::Args)]
#[command(next_help_heading = "On paper (PDF and HTML)")]
pub struct SheetArgs {
    /// Boards per page: 6, 12 or 36.
    #[arg(long, value_name = "N", default_value_t = 12, value_parser = per_page)]
    pub per_page: u8,
    /// Paper size.
    #[arg(long, value_enum, ignore_case = true, default_value_t)]
    pub paper: PaperChoice,
    /// Print each suit in a colour of its own.
    #[arg(long, visible_alias = "four-color")]
    pub four_colour: bool,
    /// Title of the pages [default: the event, if the boards name one].
    #[arg(short = 'T', long, value_name = "TEXT")]
    pub title: Option<String>,
    /// Date to print beside the title [default: the date, if the boards name one].
    #[arg(long, value_name = "DATE")]
    pub date: Option<String>,
    /// Commitment of a tournament to print at the foot of the pages [default: the one in the boards].
    #[arg(long, value_name = "SHA-256", value_parser = commitment)]
    pub commitment: Option<String>,
    /// Print the hands of these seats on separate pages, with room for the auction: NS, NESW.
    #[arg(long, value_name = "SEATS", num_args = 0..=1, require_equals = true, default_missing_value = "NESW",
          value_parser = seats, conflicts_with = "labels")]
    pub practice: Option<SeatList>,
    /// Print labels for the boards: number, dealer and vulnerability (A4: 24 labels of 63.5 x 33.9 mm; Letter: 30 of
    /// 2 5/8 x 1 inch).
    #[arg(long)]
    pub labels: bool,
    /// Print pages for lessons, two columns of diagrams with names, contract and result, and these parts below them:
    /// auction, play, comments, line (the best play by all, computed).
    #[arg(long, value_name = "PARTS", value_delimiter = ',', conflicts_with_all = ["practice", "labels"])]
    pub with: Vec<LessonPart>,
}

/// Parts of a board that a lesson shows below the diagram.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum LessonPart {
    /// The auction with the explanations of calls.
    Auction,
    /// The cards played, trick by trick.
    Play,
    /// The comments.
    Comments,
    /// The principal line of play in the contract of the board, else in one that reaches par.
    Line,
}

/// Seats in the order given.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SeatList(pub Vec<Seat>);

fn per_page(text: &str) -> Result<u8, String> {
    match text {
        "6" => Ok(6),
        "12" => Ok(12),
        "36" => Ok(36),
        _ => Err("6, 12 or 36 boards fit a page".to_owned()),
    }
}

fn seats(text: &str) -> Result<SeatList, String> {
    let seat = |letter: char| letter.to_string().parse::<Seat>().ok();
    let seats: Option<Vec<Seat>> = text.chars().map(seat).collect();
    let seats = seats.filter(|seats| !seats.is_empty());
    seats
        .map(SeatList)
        .ok_or_else(|| "write the letters of the seats, such as NS".to_owned())
}

fn commitment(text: &str) -> Result<String, String> {
    match text.len() == 64 && text.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        true => Ok(text.to_ascii_lowercase()),
        false => Err("a commitment has 64 hexadecimal digits".to_owned()),
    }
}

/// Prints boards in PBN as PDF, twelve on a page.
///
/// # Errors
/// If a board cannot be read, or this build has no PDF support.
pub fn pages(pbn: &[u8]) -> Result<Vec<u8>, Failure> {
    let boards: Result<Vec<Board>, _> = Reader::new(pbn)?.collect();
    let sheet = SheetArgs {
        per_page: 12,
        ..SheetArgs::default()
    };
    sheet.print(SheetFormat::Pdf, &boards.map_err(Failure::runtime)?)
}

/// Returns the value of the field if all boards have the same one, else an empty text.
fn common(boards: &[Board], field: impl Fn(&Board) -> &str) -> String {
    let mut texts = boards.iter().map(field);
    let first = texts.next().unwrap_or_default();
    let says = !matches!(first.trim(), "" | "?" | "-" | "#");
    match says && texts.all(|text| text == first) {
        true => first.to_owned(),
        false => String::new(),
    }
}

/// Returns the 64 digits after the word commitment in a text.
fn commitment_in(text: &str) -> Option<String> {
    let (_, rest) = text.split_once("commitment ")?;
    commitment(rest.get(..64)?).ok()
}

impl SheetArgs {
    /// Returns title, date and commitment from the switches, else from the boards.
    fn headings(&self, boards: &[Board]) -> [String; 3] {
        let event = common(boards, |it| {
            it.names.as_ref().map_or("", |names| &names.event)
        });
        let date = common(boards, |it| {
            it.names.as_ref().map_or("", |names| &names.date)
        });
        let tagged = common(boards, |it| {
            let tag = it
                .extras
                .as_ref()
                .and_then(|extras| extras.tag("Commitment"));
            tag.unwrap_or_default()
        });
        let carried = match commitment(&tagged) {
            Ok(tagged) => tagged,
            Err(_) => commitment_in(&event).unwrap_or_default(),
        };
        // The event that dealer writes on its boards is not a title.
        let title = match event.starts_with("Hand simulated by") {
            true => String::new(),
            false => event,
        };
        let date = match date.contains('?') {
            true => String::new(),
            false => date.replace('.', "-"),
        };
        [
            self.title.clone().unwrap_or(title),
            self.date.clone().unwrap_or(date),
            self.commitment.clone().unwrap_or(carried),
        ]
    }

    /// Renders the boards in this format.
    ///
    /// # Errors
    /// If this build has no PDF support, or the format does not support the sheet.
    pub fn print(&self, format: SheetFormat, boards: &[Board]) -> Result<Vec<u8>, Failure> {
        let [title, date, commitment] = self.headings(boards);
        match format {
            SheetFormat::Pdf => self.pdf(boards, [title, date, commitment]),
            SheetFormat::Html
                if self.labels || self.practice.is_some() || !self.with.is_empty() =>
            {
                Err(Failure::usage(
                    "labels, hands for practice and lessons are printed as PDF: -o FILE.pdf",
                ))
            }
            SheetFormat::Html => {
                let page = HandRecord {
                    title: &title,
                    date: &date,
                    commitment: &commitment,
                    four_colour: self.four_colour,
                    per_page: self.per_page,
                    letter: self.paper == PaperChoice::Letter,
                };
                Ok(page.page(boards).into_bytes())
            }
        }
    }

    #[cfg(not(feature = "records"))]
    fn pdf(&self, _: &[Board], _: [String; 3]) -> Result<Vec<u8>, Failure> {
        Err(Failure::usage(
            "this program was built without PDF (feature `records`); write -o FILE.html",
        ))
    }

    #[cfg(feature = "records")]
    fn pdf(
        &self,
        boards: &[Board],
        [title, date, commitment]: [String; 3],
    ) -> Result<Vec<u8>, Failure> {
        use croupier::records::{DocumentKind, PerPage};
        let sheet = croupier::records::Sheet {
            kind: match (&self.practice, self.labels) {
                (Some(seats), _) => DocumentKind::Practice(seats.0.clone()),
                (None, true) => DocumentKind::Labels,
                (None, false) if !self.with.is_empty() => {
                    DocumentKind::Lesson(croupier::records::LessonParts {
                        auction: self.with.contains(&LessonPart::Auction),
                        play: self.with.contains(&LessonPart::Play),
                        // The principal line is a comment.
                        comments: self.with.contains(&LessonPart::Comments)
                            || self.with.contains(&LessonPart::Line),
                    })
                }
                (None, false) => DocumentKind::Records,
            },
            paper: match self.paper {
                PaperChoice::A4 => croupier::records::PaperSize::A4,
                PaperChoice::Letter => croupier::records::PaperSize::Letter,
            },
            per_page: match self.per_page {
                6 => PerPage::Six,
                36 => PerPage::ThirtySix,
                _ => PerPage::Twelve,
            },
            four_colour: self.four_colour,
            title,
            date,
            commitment,
            ..croupier::records::Sheet::default()
        };
        Ok(croupier::records::pdf(boards, &sheet))
    }
}
