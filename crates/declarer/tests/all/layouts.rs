//! Layouts of the hidden cards, and playouts on them.

use std::sync::atomic::AtomicBool;

use cards::{Seat, Suit};
use croupier_declarer::{
    LayoutError, LayoutSource, PlanOptions, PlayPlanError, PlayoutOptions, ScriptLayouts,
    UniformLayouts, play_out, play_out_deals, rank_plays,
};
use session::Job;
use studies::StudyExecution;

use crate::question;

const DECLARER: &str = "A53.AK4.T83.AK62";
const DUMMY: &str = "42.Q32.AQJ92.543";

#[test]
fn layouts_have_the_known_cards_and_respect_voids() {
    // East shows out of spades at once.
    let question = question("3N-S", DECLARER, DUMMY, "SK S2 H5");
    let layouts = UniformLayouts::new(7).layouts(&question, 200).unwrap();
    assert_eq!(layouts.len(), 200);
    for deal in &layouts {
        assert!(question.admits(deal));
        assert!(deal.hand(Seat::East).holding(Suit::Spades).is_empty());
        assert!(deal.hand(Seat::East).contains("H5".parse().unwrap()));
    }
    assert_eq!(
        layouts,
        UniformLayouts::new(7).layouts(&question, 200).unwrap()
    );
    assert_ne!(
        layouts,
        UniformLayouts::new(8).layouts(&question, 200).unwrap()
    );
}

#[test]
fn layouts_of_a_script_satisfy_its_condition_even_if_it_is_rare() {
    let question = question("3N-S", DECLARER, DUMMY, "SK");
    let holds = |condition: &str, wanted: fn(&cards::Deal) -> bool| {
        let job = Job::new(format!("condition {condition}"));
        let source = ScriptLayouts::new(job, 1).unwrap();
        let layouts = source.layouts(&question, 50).unwrap();
        assert_eq!(layouts.len(), 50, "{condition}");
        assert!(
            layouts
                .iter()
                .all(|deal| wanted(deal) && question.admits(deal))
        );
    };
    holds("spades(west) >= 5", |deal| {
        deal.hand(Seat::West).holding(Suit::Spades).len() >= 5
    });
    // About one deal in 100,000.
    holds("spades(west) == 8 and clubs(east) == 6", |deal| {
        deal.hand(Seat::West).holding(Suit::Spades).len() == 8
            && deal.hand(Seat::East).holding(Suit::Clubs).len() == 6
    });
    let never = ScriptLayouts::new(Job::new("condition spades(west) == 9"), 1).unwrap();
    assert!(matches!(
        never.layouts(&question, 5),
        Err(LayoutError::NoDeals | LayoutError::Script(_))
    ));
}

#[test]
fn a_condition_changes_the_side_of_a_two_way_finesse() {
    // The jack of clubs is led from dummy, and East plays low: declarer plays the ace or lets the jack run.
    let question = question(
        "7N-S",
        "AK2.AKQ.AK32.AT3",
        "Q43.432.QJ54.KJ4",
        "SJ SQ S5 S2 C4 C6",
    );
    let best = |condition: &str| {
        let source = ScriptLayouts::new(Job::new(format!("condition {condition}")), 1).unwrap();
        let layouts = source.layouts(&question, 60).unwrap();
        let options = PlanOptions::default();
        let execution = StudyExecution::default();
        let plan = rank_plays(&question, &layouts, &options, execution).unwrap();
        plan.plays[0].card().to_string()
    };
    assert_eq!(best("clubs(east) >= 5"), best("hascard(east, QC)"));
    assert_ne!(best("clubs(west) >= 5"), best("clubs(east) >= 5"));
}

fn options() -> PlayoutOptions {
    PlayoutOptions {
        plan: PlanOptions {
            depth: 1,
            worlds: 8,
            exact_cards: 3,
        },
    }
}

#[test]
fn playouts_do_not_depend_on_the_number_of_threads_and_never_beat_double_dummy() {
    let question = question("3N-S", DECLARER, DUMMY, "SK");
    let source = UniformLayouts::new(3);
    let deals = source.layouts(&question, 12).unwrap();
    let run = |threads| {
        let execution = StudyExecution {
            threads,
            ..StudyExecution::default()
        };
        play_out(&question, &deals, &source, &options(), execution).unwrap()
    };
    let one = run(1);
    assert_eq!(one, run(3));
    assert_eq!(one.deals, 12);
    assert!(one.made <= one.made_double_dummy, "{one:?}");
    assert!(one.share().low < one.share().high);
}

#[test]
fn a_guess_costs_what_double_dummy_does_not_see() {
    // Thirteen tricks if declarer finds the queen of clubs, and nothing else to play for.
    let declared = "7N-S".parse().unwrap();
    let question = question("7N-S", "AK2.AKQ.AK32.AT3", "Q43.432.QJ54.KJ4", "SJ");
    let source = UniformLayouts::new(5);
    let deals = source.layouts(&question, 30).unwrap();
    let played = play_out_deals(
        declared,
        &deals,
        &source,
        &options(),
        StudyExecution::default(),
    );
    let played = played.unwrap();
    assert_eq!(played.made_double_dummy, 30);
    assert!((8..=27).contains(&played.made), "{played:?}");
}

#[test]
fn cancelled_work_ends_without_an_error_of_its_own() {
    let question = question("3N-S", DECLARER, DUMMY, "SK");
    let source = UniformLayouts::new(3);
    let deals = source.layouts(&question, 12).unwrap();
    let cancel = AtomicBool::new(true);
    let execution = || StudyExecution {
        threads: 1,
        cancel: Some(&cancel),
        ..StudyExecution::default()
    };
    let played = play_out(&question, &deals, &source, &options(), execution()).unwrap();
    assert_eq!(played.deals, 0);
    let plan = rank_plays(&question, &deals, &PlanOptions::default(), execution());
    assert!(matches!(plan, Err(PlayPlanError::Cancelled)));
}
