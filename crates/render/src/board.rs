//! Data that all renderers of a run share, and a produced deal with its board.

use std::sync::Arc;

use cards::{Deal, Seat, TrickTable, Vulnerability};
use engine::{ProducedDeal, mixture};
use formats::{Board, ExtraTag};
use script::plan::Plan;
use session::RunSettings;

use crate::{DialectStyle, GivenBoards, OutputOptions};

/// Data that the pages of a run share.
#[derive(Clone, Debug)]
pub struct Heading {
    /// The script's name as it was given; empty if it has none.
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
    /// Number of the last board, if all requested boards are found.
    pub last_board: i64,
    /// Information about the deals from their files, if they were given.
    pub given: Option<Arc<GivenBoards>>,
    /// The published data by which the boards can be verified.
    pub promise: Option<Promise>,
    /// Decimals of estimates; `None` for as many as their intervals support.
    pub digits: Option<usize>,
    /// Whether text in comma-separated values is escaped so that spreadsheets find no formulas.
    pub csv_safe: bool,
    /// Whether each board names its class (the first variable `HandType_...` that holds), as in dealer3.
    pub shows_hand_types: bool,
}

/// The data that a tournament publishes before play.
#[derive(Clone, Debug, Default)]
pub struct Promise {
    /// The hash of the secret key and the terms.
    pub commitment: String,
    /// The terms that the commitment covers besides the key, line by line.
    pub terms: String,
    /// The public value on which the deals depend, if they do.
    pub beacon_value: Option<String>,
    /// The script that chose the deals, if there was one.
    pub script: Vec<u8>,
    /// The texts of its parameters, by their numbers.
    pub parameters: Vec<(usize, String)>,
    /// Method by which classes of deals were levelled, if they were.
    pub level: Option<PromisedLevel>,
}

/// The levelling data that a tournament publishes before play.
#[derive(Clone, Debug, Default)]
pub struct PromisedLevel {
    /// The requested shares; empty for those of the script.
    pub shares: String,
    /// Whether every round has each class as often as its share.
    pub even: bool,
    /// The deal numbers of the boards under the key, in order.
    pub numbers: Vec<u64>,
}

impl Default for Heading {
    fn default() -> Self {
        Heading {
            script: None,
            seed: String::new(),
            title: Vec::new(),
            date: String::new(),
            first_board: 1,
            dealer: None,
            vulnerable: None,
            rotate_from: None,
            par_vulnerability: Vulnerability::None,
            last_board: 1,
            given: None,
            promise: None,
            digits: None,
            csv_safe: false,
            shows_hand_types: false,
        }
    }
}

impl Heading {
    /// Returns the heading of a run with these settings, without date, names and seed.
    #[must_use]
    pub fn of(settings: &RunSettings, options: &OutputOptions) -> Heading {
        let (dealer, vulnerable) = match options.rotate {
            true => (None, None),
            false => (settings.dealer, settings.vulnerable),
        };
        let first_board = settings.first_board;
        let produced = i64::try_from(settings.limits.counts().1).unwrap_or(i64::MAX);
        Heading {
            title: settings.title.clone(),
            first_board,
            last_board: first_board.saturating_add(produced).saturating_sub(1),
            dealer,
            vulnerable,
            rotate_from: options
                .rotate
                .then(|| settings.dealer.unwrap_or(Seat::North)),
            par_vulnerability: settings.par_vulnerability,
            digits: options.digits,
            csv_safe: options.csv_safe,
            ..Heading::default()
        }
    }
}

/// Data of a run for its renderers: shared by all threads and constant.
#[derive(Clone, Copy, Debug)]
pub struct RunContext<'a> {
    /// The actions for each deal.
    pub plan: &'a Plan,
    /// Titles, numbers, names.
    pub heading: &'a Heading,
    /// The output style of the dialect.
    pub style: &'static DialectStyle,
}

impl RunContext<'_> {
    /// Returns a produced deal with its board number, turned to fit the dealer of its board if that was requested.
    #[must_use]
    pub fn board<'d>(&self, produced: &ProducedDeal<'d>) -> ProducedBoard<'d> {
        let given = self.given(produced.index);
        let said = given.as_ref().and_then(|board| board.number);
        let number = match said.and_then(|number| i64::try_from(number).ok()) {
            Some(number) => number,
            None => {
                let ordinal = produced.ordinal as i64;
                self.heading.first_board.wrapping_add(ordinal - 1)
            }
        };
        let turns = self.heading.rotate_from.map_or(0, |from| {
            let from = given.and_then(|board| board.dealer).unwrap_or(from);
            let dealer = Seat::dealer_of_board(number.rem_euclid(16) as u64);
            (dealer.index() + 4 - from.index()) % 4
        });
        let (deal, tricks) = match turns {
            0 => (produced.deal, produced.tricks),
            steps => turned(steps, produced),
        };
        ProducedBoard {
            produced: *produced,
            number,
            deal,
            tricks,
            turns,
        }
    }

    /// Returns the name of the class of a deal, if boards show it and the deal has one.
    pub(crate) fn hand_type(&self, deal: Deal) -> Option<String> {
        if !self.heading.shows_hand_types {
            return None;
        }
        let (mut names, nodes): (Vec<_>, Vec<_>) =
            mixture::hand_types(self.plan).into_iter().unzip();
        let options = engine::Options::default();
        let class = mixture::class_of_each(self.plan, &nodes, &[deal], &options);
        class.first()?.map(|class| names.swap_remove(class))
    }

    /// Returns the file's information about the deal with this number among the generated ones.
    pub(crate) fn given(&self, index: u64) -> Option<Board> {
        self.heading.given.as_ref()?.get(index)
    }
}

fn turned(steps: usize, produced: &ProducedDeal<'_>) -> (Deal, Option<TrickTable>) {
    let tricks = produced.tricks.and_then(|table| {
        let mut rows = table.rows();
        rows.rotate_right(steps);
        TrickTable::new(rows)
    });
    (produced.deal.rotated(steps), tricks)
}

/// A produced deal with its board.
#[derive(Clone, Copy, Debug)]
pub struct ProducedBoard<'a> {
    /// The deal as it was dealt, and the values of the actions.
    pub produced: ProducedDeal<'a>,
    /// The number on the board.
    pub number: i64,
    /// The cards, turned if that was requested.
    pub deal: Deal,
    /// Double-dummy tricks of these cards, if they are known.
    pub tricks: Option<TrickTable>,
    /// Number of seats by which the deal was turned clockwise.
    pub turns: usize,
}

impl ProducedBoard<'_> {
    /// Returns whether the deal is the first one of the run.
    #[must_use]
    pub fn is_first(&self) -> bool {
        self.produced.ordinal == 1
    }

    /// Returns the board in the form of the exchange formats.
    #[must_use]
    pub fn to_board(&self, run: &RunContext<'_>) -> Board {
        let (heading, plain) = (run.heading, Board::of(&self.deal));
        let mut board = match run.given(self.produced.index) {
            None => plain,
            Some(given) => {
                let given = given.turned(self.turns);
                Board {
                    hands: plain.hands,
                    // The dealer of a turned board follows from its number.
                    dealer: given.dealer.filter(|_| heading.rotate_from.is_none()),
                    vulnerable: given.vulnerable.filter(|_| heading.rotate_from.is_none()),
                    ..given
                }
            }
        };
        let before = (board.dealer, board.vulnerable);
        board.dealer = heading.dealer.or(board.dealer);
        board.vulnerable = heading.vulnerable.or(board.vulnerable);
        board.tricks = self.tricks.or(board.tricks);
        if before != (board.dealer, board.vulnerable) {
            board.par = None;
            board.par_contracts = None;
        }
        if let Some(promise) = &heading.promise {
            self.promise(&mut board, promise);
        }
        if let Some(class) = run.hand_type(self.produced.deal) {
            let extras = board.extras.get_or_insert_default();
            extras.tags.push(ExtraTag {
                name: "HandType".to_owned(),
                value: class,
                section: String::new(),
            });
        }
        with_par(board.with_number(self.number.max(1) as u64))
    }

    /// Adds the deal number under the key, and the published data, to the board.
    fn promise(&self, board: &mut Board, promise: &Promise) {
        let mut tag = |name: &str, value: String| {
            let extras = board.extras.get_or_insert_default();
            extras.tags.push(ExtraTag {
                name: name.to_owned(),
                value,
                section: String::new(),
            });
        };
        let numbers = promise.level.as_ref().map(|level| &level.numbers);
        let number = numbers.and_then(|numbers| numbers.get(self.produced.index as usize));
        tag(
            "DealNumber",
            number.unwrap_or(&self.produced.index).to_string(),
        );
        if self.turns > 0 {
            tag("DealTurned", self.turns.to_string());
        }
        tag("Commitment", promise.commitment.clone());
    }
}

/// Adds par to the board if the tricks are known and par is not.
fn with_par(board: Board) -> Board {
    let Some((table, (dealer, vulnerable))) = board.tricks.zip(board.dealer.zip(board.vulnerable))
    else {
        return board;
    };
    if board.par.is_some() && board.par_contracts.is_some() {
        return board;
    }
    let par = solver::par_report(&table, vulnerable, dealer);
    Board {
        par: Some(par.score),
        par_contracts: Some(par.contracts_text()),
        ..board
    }
}
