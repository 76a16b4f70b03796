//! The table of all requests with a single answer.
//!
//! The routes of the server, the dispatcher of the WebAssembly modules, the OpenAPI description and the types of the page
//! all come from this table. A new request is a line here and a function with its two types.
//!
//! The table is divided into parts. Programs contain all of them. In browsers every part is a WebAssembly module of its own:
//! the page starts with [`CORE`] and loads another part when it sends one of its requests for the first time.

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::{
    RequestError, RequestLimits, auction, bid, check, equity, explain, files, form, history,
    library, line, names, odds, plan, play, push, shapes, solve, spot, strength, study, suit,
    value, verify, words,
};

/// A function that answers one kind of request in JSON.
type Answer = fn(&str, &RequestLimits) -> Result<String, RequestError>;

/// A kind of request.
pub struct Question {
    /// Name, which is also the last part of the path.
    pub name: &'static str,
    /// Description for users of the interface.
    pub description: &'static str,
    /// Whether the answer may take long. A server answers short requests even when it is busy with long ones.
    pub is_long: bool,
    /// Name of the part of the engine that answers it.
    pub part: &'static str,
    answer: Answer,
    /// Schema of the request.
    #[cfg(feature = "openapi")]
    pub request: TypeSchema,
    /// Schema of the answer.
    #[cfg(feature = "openapi")]
    pub response: TypeSchema,
}

impl Question {
    /// Answers a request of this kind; request and answer are JSON.
    ///
    /// # Errors
    /// If the request cannot be parsed, exceeds the limits or fails.
    pub fn answer(&self, body: &str, limits: &RequestLimits) -> Result<String, RequestError> {
        (self.answer)(body, limits)
    }
}

/// Access to the schema of a type.
#[cfg(feature = "openapi")]
#[derive(Clone, Copy)]
pub struct TypeSchema {
    /// Returns the name of the type.
    pub name: fn() -> std::borrow::Cow<'static, str>,
    /// Adds the schemas of the type and of all types that it uses.
    pub add: fn(&mut Schemas),
}

/// Names and schemas of types.
#[cfg(feature = "openapi")]
pub type Schemas = Vec<(String, utoipa::openapi::RefOr<utoipa::openapi::Schema>)>;

#[cfg(feature = "openapi")]
impl TypeSchema {
    /// Returns the access to the schema of `T`.
    #[must_use]
    pub const fn of<T: utoipa::ToSchema>() -> TypeSchema {
        TypeSchema {
            name: T::name,
            add: |schemas| {
                schemas.push((T::name().into_owned(), T::schema()));
                T::schemas(schemas);
            },
        }
    }
}

/// Declares the parts of the engine, and for each request its description, name, duration, type of the request, type of the
/// answer, and function.
macro_rules! questions {
    ($(
        $(#[$doc:meta])+
        $part:ident, $part_name:literal {$(
            $(#[doc = $line:literal])+
            $name:literal, $duration:ident: $request:path => $response:path, $function:path;
        )*}
    )*) => {
        $(
            $(#[$doc])+
            pub const $part: EnginePart = EnginePart {
                name: $part_name,
                questions: &[$(question!(
                    $part_name, $($line)+, $name, $duration, $request, $response, $function
                )),*],
            };
        )*

        /// All parts of the engine; the first one is [`CORE`].
        pub const PARTS: &[EnginePart] = &[$($part),*];

        /// All requests, in the order in which they are described.
        pub const QUESTIONS: &[Question] = &[$($(question!(
            $part_name, $($line)+, $name, $duration, $request, $response, $function
        )),*),*];
    };
}

macro_rules! question {
    (
        $part:literal, $($line:literal)+, $name:literal, $duration:ident, $request:path, $response:path, $function:path
    ) => {
        Question {
            name: $name,
            description: concat!($($line,)+).trim_ascii(),
            is_long: is_long!($duration),
            part: $part,
            answer: |body, limits| {
                in_json::<$request, $response>(body, |request| $function(request, limits))
            },
            #[cfg(feature = "openapi")]
            request: TypeSchema::of::<$request>(),
            #[cfg(feature = "openapi")]
            response: TypeSchema::of::<$response>(),
        }
    };
}

macro_rules! is_long {
    (long) => {
        true
    };
    (short) => {
        false
    };
}

questions! {
    /// Scripts, deals, boards and studies: the part that the page starts with.
    CORE, "core" {
        /// Checks a script and returns its settings.
        "check", short: check::Check => check::Checked, check::check;
        /// Lists the words of the script language with their meanings.
        "words", short: words::Nothing => words::LanguageWords, words::words;
        /// Lists the bundled scenarios.
        "scenarios", short: words::Nothing => library::Scenarios, library::scenarios;
        /// Computes how often the condition of a script holds: exactly where it can be counted.
        "probability", long: check::Check => odds::Odds, odds::probability;
        /// Counts how many deals pass each part of the condition.
        "explain", long: explain::Explain => explain::Explained, explain::explain;
        /// Computes double-dummy results and par of a deal.
        "solve", long: solve::Solve => solve::Solved, solve::solve;
        /// Computes the double-dummy cost of every card that may be played.
        "play", long: play::Play => play::Playing, play::play;
        /// Computes the principal line of play from a position on, with the cards that are as good at each turn.
        "line", long: play::Play => line::PrincipalLine, line::line;
        /// Computes the cards that decide the result of a position, and the exchanges of two cards that change it.
        "deciding", long: play::Play => line::Deciding, line::deciding;
        /// Computes the plan of a study of opening leads with a precision: which layouts may be solved. Send the plan with each
        /// portion.
        "lead-plan", long: study::LeadPlanRequest => study::StudyPlan, study::lead_plan;
        /// Computes the tricks after every opening lead in some layouts.
        "leads", long: study::LeadsRequest => study::LeadTricks, study::leads;
        /// Computes the results of a study of opening leads.
        "lead-results", long: study::LeadResultsRequest => study::LeadResults, study::lead_results;
        /// Computes the plan of a study of contracts with a precision: which deals may be solved. Send the plan with each
        /// portion.
        "contract-plan", long: study::ContractPlanRequest => study::StudyPlan, study::contract_plan;
        /// Computes the tricks of several contracts on some deals.
        "tricks", long: study::TricksRequest => study::ContractTricks, study::tricks;
        /// Computes the results of a study of contracts.
        "contract-results", long: study::ContractResultsRequest => study::ContractResults, study::contract_results;
        /// Values cards by every method.
        "value", short: value::Value => value::Valued, value::value;
        /// Lists the shapes of a pattern.
        "shapes", short: shapes::ShapesRequest => shapes::Shapes, shapes::shapes;
        /// Reads the boards of a file.
        "read", short: files::Read => files::FileData, files::read;
        /// Writes a file of boards.
        "write", short: files::Write => files::Written, files::write;
        /// Checks that the boards of a tournament follow from their key.
        "verify", long: verify::Verify => verify::Verdict, verify::verify;
        /// Lists the formats of files of deals.
        "formats", short: words::Nothing => names::Formats, names::formats;
        /// Lists the poker games.
        "games", short: words::Nothing => names::Games, names::games;
        /// Translates a seat profile to a script.
        "form", short: form::Form => form::FormScript, form::form;
    }
    /// Plans for declarer and suit combinations.
    CARD_PLAY, "card-play" {
        /// Ranks the cards that declarer can play next by the chance of the contract, without sight of the defenders' cards.
        "plan", long: plan::PlanRequest => plan::Planned, plan::plan;
        /// Plays contracts on deals: how often a declarer who sees two hands makes them.
        "playouts", long: plan::PlayoutsRequest => plan::PlayoutValues, plan::playouts;
        /// Computes how to play one suit: the best line and its exact chance for every number of tricks.
        "suit", long: suit::SuitRequest => suit::SuitAnswer, suit::suit;
        /// Lists the chances of all suit combinations of a kind.
        "suit-book", long: suit::SuitBookRequest => suit::SuitBook, suit::suit_book;
    }
    /// Auctions.
    BIDDING, "bidding" {
        /// Computes the hands that an auction shows: the meaning of each call, and a script whose deals fit it.
        "infer", short: auction::InferRequest => auction::Inferred, auction::infer;
        /// Tabulates the hands that fit an auction, points, lengths and honours of each seat, and deals layouts.
        "infer-tables", long: auction::InferTablesRequest => auction::InferredTables, auction::infer_tables;
        /// Lets robots bid a board, alone or together with the reader, and returns the meaning of each call.
        "bid", long: bid::BidRequest => bid::BidAnswer, bid::bid;
    }
    /// Poker equities and ranges.
    POKER, "poker" {
        /// Computes each player's share of the pot.
        "equity", long: equity::EquityRequest => equity::Equity, equity::equity;
        /// Computes the equity of classes of starting hands.
        "matrix", long: equity::MatrixRequest => equity::Matrix, equity::matrix;
        /// Returns a range as a grid of starting hands.
        "range", short: equity::RangeRequest => equity::RangeData, equity::range;
        /// Computes the made hands and draws of a range on a board.
        "strength", long: strength::StrengthRequest => strength::StrengthData, strength::strength;
        /// Reads hand histories (PHH, Open Hand History) and computes the equity at every decision.
        "history", long: history::HistoryRequest => history::HistoryAnswer, history::history;
    }
    /// Equilibria of poker games.
    POKER_SOLVER, "poker-solver" {
        /// Computes which hands push all-in and which call, when every player pushes or folds.
        "push", long: push::PushRequest => push::PushAnswer, push::push;
        /// Computes the strategies of two ranges on a flop, turn or river.
        "spot", long: spot::SpotRequest => spot::SpotAnswer, spot::spot;
    }
}

/// A part of the engine.
#[derive(Clone, Copy)]
pub struct EnginePart {
    /// Name, which is also part of the name of its WebAssembly module.
    pub name: &'static str,
    /// Requests that the part answers.
    pub questions: &'static [Question],
}

impl EnginePart {
    /// Answers a request of this part.
    ///
    /// # Errors
    /// If the part has no such request, it cannot be parsed, it exceeds the limits or it fails.
    pub fn answer(
        &self,
        name: &str,
        body: &str,
        limits: &RequestLimits,
    ) -> Result<String, RequestError> {
        answer_one_of(self.questions, name, body, limits)
    }
}

/// Returns the request named `name`.
#[must_use]
pub fn find(name: &str) -> Option<&'static Question> {
    QUESTIONS.iter().find(|question| question.name == name)
}

/// Answers a request.
///
/// # Errors
/// If there is no such request, it cannot be parsed, it exceeds the limits or it fails.
pub fn answer(name: &str, body: &str, limits: &RequestLimits) -> Result<String, RequestError> {
    answer_one_of(QUESTIONS, name, body, limits)
}

fn answer_one_of(
    questions: &[Question],
    name: &str,
    body: &str,
    limits: &RequestLimits,
) -> Result<String, RequestError> {
    match questions.iter().find(|question| question.name == name) {
        Some(question) => question.answer(body, limits),
        None => Err(RequestError::request(format!(
            "there is no question {name:?}"
        ))),
    }
}

fn in_json<Q: DeserializeOwned, A: Serialize>(
    body: &str,
    function: impl FnOnce(Q) -> Result<A, RequestError>,
) -> Result<String, RequestError> {
    let answer = function(read_question(body)?)?;
    serde_json::to_string(&answer).map_err(|error| RequestError::run(error.to_string()))
}

/// Reads a question, which is a JSON object.
///
/// # Errors
/// If the text is not such an object.
pub fn read_question<Q: DeserializeOwned>(body: &str) -> Result<Q, RequestError> {
    // A list of values would be read as the fields in their order.
    if body.trim_start().starts_with('[') {
        return Err(RequestError::request(
            "the question cannot be read: it is a list, but must be an object such as {\"script\": \"produce 1\"}",
        ));
    }
    serde_json::from_str(body)
        .map_err(|error| RequestError::request(format!("the question cannot be read: {error}")))
}
