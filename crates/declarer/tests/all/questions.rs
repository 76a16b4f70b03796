//! Questions: hands, contract and the cards played so far.

use croupier_declarer::{PlanOptions, PlayPlanError, PlayQuestion, PlayQuestionError, rank_plays};
use studies::StudyExecution;

use crate::{cards_of, question};

const DECLARER: &str = "A53.AK4.T83.AK62";
const DUMMY: &str = "42.Q32.AQJ92.543";

fn error_of(played: &str, card: &str) -> PlayQuestionError {
    let mut question = question("3N-S", DECLARER, DUMMY, played);
    let before = question.clone();
    let error = question.play(cards_of(card)[0]).unwrap_err();
    assert_eq!(question, before, "a refused card changes nothing");
    error
}

#[test]
fn impossible_cards_are_refused() {
    assert!(matches!(
        error_of("", "SA"),
        PlayQuestionError::NotAvailable(..)
    ));
    assert!(matches!(
        error_of("SK", "S3"),
        PlayQuestionError::NotHeld(..)
    ));
    assert!(matches!(
        error_of("SK", "D2"),
        PlayQuestionError::Revoke(..)
    ));
    assert!(matches!(
        error_of("SK S2 S6", "SQ"),
        PlayQuestionError::NotHeld(..)
    ));
    // East showed out of spades, so East cannot play a spade later.
    let played = "SK S2 H5 SA HA H6 H2 H7 HK H8 H3 H9 H4 HT HQ HJ S4";
    assert!(matches!(
        error_of(played, "S6"),
        PlayQuestionError::Revoke(..)
    ));
    let hands = PlayQuestion::new(
        "3N".parse().unwrap(),
        "AK".parse_cards(),
        DUMMY.parse_cards(),
    );
    assert!(matches!(hands, Err(PlayQuestionError::HandLength(..))));
    let hands = PlayQuestion::new(
        "3N".parse().unwrap(),
        DUMMY.parse_cards(),
        DUMMY.parse_cards(),
    );
    assert!(matches!(hands, Err(PlayQuestionError::Twice(..))));
}

trait ParseCards {
    fn parse_cards(&self) -> cards::CardSet;
}

impl ParseCards for str {
    fn parse_cards(&self) -> cards::CardSet {
        cards::notation::holdings(&format!(
            "{self}{}",
            "...".get(self.matches('.').count()..).unwrap()
        ))
        .unwrap()
    }
}

#[test]
fn tricks_and_turns_follow_the_rules() {
    let question = question("3N-S", DECLARER, DUMMY, "SK S2 S6 SA H4");
    assert_eq!(question.tricks_won(), 1);
    assert_eq!(question.tricks_needed(), 8);
    assert_eq!(question.to_play(), cards::Seat::West);
    assert!(!question.is_declarers_turn());
    assert_eq!(question.tricks_left(), 12);
}

#[test]
fn a_plan_needs_declarers_turn_possible_layouts_and_options_within_their_range() {
    let options = PlanOptions::default();
    let run = |question: &PlayQuestion, options: &PlanOptions| {
        rank_plays(question, &[], options, StudyExecution::default()).unwrap_err()
    };
    let before_lead = question("3N-S", DECLARER, DUMMY, "");
    assert!(matches!(
        run(&before_lead, &options),
        PlayPlanError::NotDeclarersTurn
    ));
    let question = question("3N-S", DECLARER, DUMMY, "SK");
    assert!(matches!(run(&question, &options), PlayPlanError::NoLayouts));
    let deep = PlanOptions {
        depth: 9,
        ..options.clone()
    };
    assert!(matches!(run(&question, &deep), PlayPlanError::Depth(9)));
    let wide = PlanOptions {
        worlds: 1000,
        ..options
    };
    assert!(matches!(run(&question, &wide), PlayPlanError::Worlds(1000)));
}
