//! The protocol of external robots: one JSON object per line, one question and one answer at a time.
//!
//! docs/bidding.md describes it for the authors of robots.

use std::io::{self, BufRead, Write};

use cards::{BySuit, Seat, Suit, Vulnerability, notation};
use serde::{Deserialize, Serialize};

use crate::Auction;
use crate::meaning::{HandRange, Meaning, NumberRange};
use crate::robot::{Answer, BiddingSystem, CallExplanation, CallPosition, Detail};
use formats::auction::{call_text, read_call};

/// Maximum length of a line of an answer, in bytes.
pub const LONGEST_LINE: usize = 1 << 16;

/// A question as it is sent.
#[derive(Serialize, Deserialize)]
pub(crate) struct QuestionMessage {
    /// The hand: `AKQ.J32.T98.7654`, spades first.
    hand: String,
    /// The seat that is to call: `N`, `E`, `S`, `W`.
    seat: String,
    /// The seat that called first.
    dealer: String,
    /// `none`, `ns`, `ew` or `both`.
    vulnerable: String,
    /// The calls so far.
    auction: Vec<String>,
    /// Whether an explanation is requested.
    #[serde(default)]
    explain: bool,
}

/// An answer as it is received.
#[derive(Default, Serialize, Deserialize)]
pub(crate) struct AnswerMessage {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    call: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    explanation: Option<String>,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    alert: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    meaning: Option<Vec<RangeMessage>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) error: Option<String>,
}

/// Ranges of a hand: each is `[least, most]`; a missing one means all hands.
#[derive(Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct RangeMessage {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    hcp: Option<[u8; 2]>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    points: Option<[u8; 2]>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    spades: Option<[u8; 2]>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    hearts: Option<[u8; 2]>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    diamonds: Option<[u8; 2]>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    clubs: Option<[u8; 2]>,
}

impl From<&HandRange> for RangeMessage {
    fn from(range: &HandRange) -> RangeMessage {
        let told = |span: NumberRange, full: NumberRange| {
            (span != full).then_some([span.least, span.most])
        };
        let length = |suit| told(range.lengths[suit], NumberRange::LENGTHS);
        RangeMessage {
            hcp: told(range.hcp, NumberRange::POINTS),
            points: told(range.points, NumberRange::POINTS),
            spades: length(Suit::Spades),
            hearts: length(Suit::Hearts),
            diamonds: length(Suit::Diamonds),
            clubs: length(Suit::Clubs),
        }
    }
}

impl From<&RangeMessage> for HandRange {
    fn from(message: &RangeMessage) -> HandRange {
        let told = |range: Option<[u8; 2]>, full: NumberRange| {
            range.map_or(full, |[least, most]| {
                NumberRange::new(least, most.min(full.most))
            })
        };
        let RangeMessage {
            spades,
            hearts,
            diamonds,
            clubs,
            ..
        } = *message;
        let lengths = [clubs, diamonds, hearts, spades];
        HandRange {
            hcp: told(message.hcp, NumberRange::POINTS),
            points: told(message.points, NumberRange::POINTS),
            lengths: BySuit(lengths.map(|range| told(range, NumberRange::LENGTHS))),
            ..HandRange::ANY
        }
    }
}

impl QuestionMessage {
    pub(crate) fn new(question: &CallPosition<'_>, detail: Detail) -> QuestionMessage {
        let calls = question.auction.calls().iter();
        QuestionMessage {
            hand: question.hand.to_string(),
            seat: question.seat().letter().to_string(),
            dealer: question.auction.dealer().letter().to_string(),
            vulnerable: question.vulnerability.word().to_owned(),
            auction: calls.map(|&call| call_text(call)).collect(),
            explain: detail == Detail::Explained,
        }
    }
}

impl AnswerMessage {
    /// Returns the answer, or the error in the message.
    pub(crate) fn answer(&self) -> Result<Answer, String> {
        let word = self.call.as_deref().ok_or("it has no \"call\"")?;
        let call = read_call(word).ok_or_else(|| format!("{word:?} is no call"))?;
        let meaning = self.meaning.as_ref();
        let meaning = meaning.map(|ranges| Meaning::new(ranges.iter().map(HandRange::from)));
        let told = self.explanation.is_some() || self.alert || meaning.is_some();
        Ok(Answer {
            call,
            explanation: told.then(|| CallExplanation {
                text: self.explanation.clone().unwrap_or_default(),
                is_alerted: self.alert,
                meaning,
            }),
        })
    }

    fn of(answer: &Answer) -> AnswerMessage {
        let told = answer.explanation.as_ref();
        let text = told.map(|told| told.text.clone());
        let meaning = told.and_then(|told| told.meaning.as_ref());
        AnswerMessage {
            call: Some(call_text(answer.call)),
            explanation: text.filter(|text| !text.is_empty()),
            alert: told.is_some_and(|told| told.is_alerted),
            meaning: meaning.map(|it| it.alternatives().iter().map(RangeMessage::from).collect()),
            error: None,
        }
    }
}

/// Answers the questions of `input` with the robot of a system until the input ends: the robot's side of the protocol.
///
/// # Errors
/// If reading or writing fails. The answer to an invalid question is an error message.
pub fn serve(
    system: &dyn BiddingSystem,
    input: impl BufRead,
    mut output: impl Write,
) -> io::Result<()> {
    let mut robot = system.robot().map_err(io::Error::other)?;
    for line in input.lines() {
        let line = line?;
        if line.trim().is_empty() {
            continue;
        }
        let answered = read_question(&line).and_then(|asked| {
            let question = CallPosition {
                hand: asked.hand,
                auction: &asked.auction,
                vulnerability: asked.vulnerability,
            };
            let answer = robot.answer(&question, asked.detail);
            answer.map_err(|error| error.to_string())
        });
        let message = match answered {
            Ok(answer) => AnswerMessage::of(&answer),
            Err(error) => AnswerMessage {
                error: Some(error),
                ..AnswerMessage::default()
            },
        };
        serde_json::to_writer(&mut output, &message)?;
        writeln!(output)?;
        output.flush()?;
    }
    Ok(())
}

/// A valid question.
struct ValidQuestion {
    hand: cards::Hand,
    auction: Auction,
    vulnerability: Vulnerability,
    detail: Detail,
}

fn read_question(line: &str) -> Result<ValidQuestion, String> {
    let message: QuestionMessage =
        serde_json::from_str(line).map_err(|error| format!("not a question: {error}"))?;
    let hand = notation::hand(&message.hand).map_err(|error| format!("hand: {error}"))?;
    let seat = |name: &str, text: &str| {
        let seat: Result<Seat, _> = text.parse();
        seat.map_err(|error| format!("{name}: {error}"))
    };
    let dealer = seat("dealer", &message.dealer)?;
    let vulnerability = message.vulnerable.parse();
    let vulnerability = vulnerability.map_err(|error| format!("vulnerable: {error}"))?;
    let mut auction = Auction::new(dealer);
    for word in &message.auction {
        let call = read_call(word).ok_or_else(|| format!("auction: {word:?} is no call"))?;
        let pushed = auction.push(call);
        pushed.map_err(|error| format!("auction: {error}"))?;
    }
    let turn = auction.turn().ok_or("auction: it is over")?;
    if seat("seat", &message.seat)? != turn {
        return Err(format!("seat: it is the turn of {}", turn.name()));
    }
    Ok(ValidQuestion {
        hand,
        auction,
        vulnerability,
        detail: match message.explain {
            true => Detail::Explained,
            false => Detail::Call,
        },
    })
}
