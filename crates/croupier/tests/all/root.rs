//! The root of the facade: names, functions, and conditions built in Rust.
#![cfg(feature = "scripts")]

use croupier::{
    Collected, Error, Expression, Job, Partial, Seat, Suit, any_of, east, north, ns, probability,
    south,
};

fn deals(job: Job) -> Vec<croupier::Deal> {
    let Collected { deals, .. } = job.seed(7).produce(20).collect().unwrap();
    deals.iter().map(|dealt| dealt.deal).collect()
}

fn conditions() -> Vec<Expression> {
    vec![
        north().hcp().between(15, 17) & north().balanced(),
        ns().fit(Suit::Spades, 9) & !east().shape("any 7xxx").unwrap(),
        any_of([north().aces().equals(4), south().losers().at_most(3)]),
        (north().hcp() - south().hcp()).abs().less_than(3) | north().spades().is_in([6, 7]),
        (ns().hcp() / 2 + 1).greater_than(north().cccc() / 100),
    ]
}

#[test]
fn built_conditions_deal_what_their_text_deals() {
    for condition in conditions() {
        let text = condition.to_string();
        assert_eq!(
            deals(Job::new(condition)),
            deals(Job::new(text.as_str())),
            "{text}"
        );
    }
}

#[test]
fn built_conditions_have_the_probability_of_their_text() {
    for condition in conditions() {
        let text = condition.to_string();
        let (built, read) = (probability(condition), probability(text.as_str()));
        assert_eq!(built.unwrap(), read.unwrap(), "{text}");
    }
}

#[test]
fn a_serialised_job_holds_the_text_of_its_condition() {
    let job = Job::new(north().hcp().at_least(20))
        .seed(3)
        .generate(50_000);
    let session = job.prepare().unwrap();
    let part = session.run_range(0..50_000, true).unwrap();
    let json = serde_json::to_string(&part).unwrap();
    assert!(json.contains("condition hcp(north) >= 20"), "{json}");
    let read: Partial = serde_json::from_str(&json).unwrap();
    let outcome = read.outcome(1, &mut croupier::NoDeals).unwrap();
    assert_eq!(
        outcome.produced,
        session.run(&mut croupier::NoDeals).unwrap().produced
    );
}

#[test]
fn conditions_work_in_classic_dialects_through_their_text() {
    let condition = north().hcp().at_least(20) & south().semibalanced();
    let job = Job::new(condition.clone()).dialect(croupier::Mode::V2);
    let text = Job::new(condition.to_string()).dialect(croupier::Mode::V2);
    assert_eq!(deals(job), deals(text));
}

#[test]
fn a_variable_out_of_range_is_an_error() {
    let job = |number| Job::new("hcp(north) >= $1").variable(number, "12");
    assert!(job(1).prepare().is_ok());
    let error = job(12).prepare().map(|_| ()).unwrap_err();
    assert!(matches!(error, Error::NoSuchVariable(12)));
    assert_eq!(
        error.to_string(),
        "there is no variable $12; scripts have $0 to $9"
    );
}

#[test]
fn estimates_do_not_change_from_call_to_call() {
    let hard = || north().cccc().greater_than(south().cccc());
    let first = probability(hard()).unwrap();
    assert!(!first.is_exact());
    assert_eq!(first, probability(hard()).unwrap());
}

#[test]
fn probabilities_of_jobs_with_predealt_cards() {
    let job = Job::new(north().aces().at_least(2)).predeal(Seat::North, "SA");
    assert!(probability(job).unwrap().probability() > 0.5);
}
