//! Expressions built in Rust have the plan of their text.

use cards::{Card, Contract, Rank, Seat, Side, Strain, Suit, Vulnerability};
use croupier_script::expression::{
    Expression, ShapesError, all_of, any_of, compile, ew, north, ns, pair, player, script_text,
    south,
};
use croupier_script::{CompileOptions, Diagnostic, ScriptSource};
use proptest::prelude::*;

type Compiled = Result<(croupier_script::plan::Plan, Vec<Diagnostic>), Vec<Diagnostic>>;

/// Returns the whole plan or the errors, with the messages, as text.
fn shown(compiled: &Compiled) -> String {
    match compiled {
        Ok((plan, warnings)) => format!(
            "{:#?}\n{:#?}\n{:?}\n{:?}\n{:?}\n{:?}\n{warnings:#?}",
            plan.nodes, plan.facts, plan.condition, plan.shapes, plan.actions, plan.settings
        ),
        Err(errors) => format!("{errors:#?}"),
    }
}

fn of_text(expression: &Expression) -> Compiled {
    let source = ScriptSource::new("built", script_text(expression));
    croupier_script::compile(&source, &CompileOptions::default())
}

fn of_tree(expression: &Expression) -> Compiled {
    compile(expression, "built", &CompileOptions::default())
}

fn assert_same_plan(expression: &Expression) {
    assert_eq!(
        shown(&of_tree(expression)),
        shown(&of_text(expression)),
        "{expression}"
    );
}

fn seat() -> impl Strategy<Value = Seat> {
    prop::sample::select(Seat::ALL.to_vec())
}

fn suit() -> impl Strategy<Value = Suit> {
    prop::sample::select(Suit::DESCENDING.to_vec())
}

fn strain() -> impl Strategy<Value = Strain> {
    prop::sample::select(Strain::ALL.to_vec())
}

fn leaf() -> impl Strategy<Value = Expression> {
    let of_hand = (seat(), 0..20_usize).prop_map(|(seat, which)| {
        let hand = player(seat);
        [
            hand.hcp(),
            hand.controls(),
            hand.losers(),
            hand.ltc(),
            hand.cccc(),
            hand.aces(),
            hand.kings(),
            hand.queens(),
            hand.jacks(),
            hand.tens(),
            hand.top2(),
            hand.top3(),
            hand.top4(),
            hand.top5(),
            hand.c13(),
            hand.balanced(),
            hand.semibalanced(),
            hand.spades(),
            hand.hearts(),
            hand.clubs(),
        ][which]
            .clone()
    });
    let of_suit = (seat(), suit(), 0..6_usize).prop_map(|(seat, suit, which)| {
        let hand = player(seat);
        [
            hand.length(suit),
            hand.points(suit),
            hand.honours(suit),
            hand.quality(suit),
            hand.losers_in(suit),
            hand.controls_in(suit),
        ][which]
            .clone()
    });
    let card = (seat(), suit(), 0..13_u8).prop_map(|(seat, suit, rank)| {
        let rank = Rank::from_index(usize::from(rank)).unwrap();
        player(seat).holds(Card::new(suit, rank))
    });
    let solved =
        (seat(), strain(), any::<bool>()).prop_map(|(seat, strain, estimated)| match estimated {
            true => player(seat).estimate(strain),
            false => player(seat).tricks(strain),
        });
    let side = prop::sample::select(Side::ALL.to_vec());
    let of_pair = (side, suit(), 0..6_usize).prop_map(|(side, suit, which)| {
        let both = pair(side);
        [
            both.hcp(),
            both.controls(),
            both.length(suit),
            both.fit(suit, 8),
            both.par(Vulnerability::Both),
            both.opc(Some(suit.into())),
        ][which]
            .clone()
    });
    let texts = [
        "any 4333 + 5xxx - any 7xxx",
        "5xxx,any 4441",
        "xx55",
        "5M(332)",
        "(4333) + (4432)",
        "[5-7]xxx",
    ];
    let shape = (seat(), prop::sample::select(texts.to_vec()))
        .prop_map(|(seat, text)| player(seat).shape(text).unwrap());
    let number = prop_oneof![
        -3..20_i32,
        Just(i32::MIN),
        Just(i32::MAX),
        any::<i32>(),
        Just(1000)
    ];
    prop_oneof![
        4 => of_hand,
        2 => of_suit,
        1 => card,
        1 => solved,
        2 => of_pair,
        2 => shape,
        4 => number.prop_map(Expression::from),
    ]
}

fn expression() -> impl Strategy<Value = Expression> {
    let contract: Contract = "4Sx".parse().unwrap();
    leaf().prop_recursive(6, 48, 3, move |inner| {
        let two =
            (inner.clone(), inner.clone(), 0..14_usize).prop_map(|(a, b, which)| match which {
                0 => a & b,
                1 => a | b,
                2 => a + b,
                3 => a - b,
                4 => a * b,
                5 => a / b,
                6 => a % b,
                7 => a.at_least(b),
                8 => a.at_most(b),
                9 => a.greater_than(b),
                10 => a.less_than(b),
                11 => a.equals(b),
                12 => a.differs_from(b),
                _ => a.is_in([b.clone(), b, 3.into()]),
            });
        let one = (inner.clone(), 0..5_usize).prop_map(move |(a, which)| match which {
            0 => !a,
            1 => -a,
            2 => a.abs(),
            3 => a.imps(),
            _ => a.score(contract, true),
        });
        let three =
            (inner.clone(), inner.clone(), inner, any::<bool>()).prop_map(|(a, b, c, choose)| {
                match choose {
                    true => a.if_else(b, c),
                    false => a.between(b, c),
                }
            });
        prop_oneof![5 => two, 2 => one, 1 => three]
    })
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, cases: 2_000, ..ProptestConfig::default() })]

    #[test]
    fn built_expressions_have_the_plan_of_their_text(expression in expression()) {
        assert_same_plan(&expression);
    }
}

#[test]
fn operators_are_written_with_the_parentheses_they_need() {
    let (a, b) = (north().hcp(), south().hcp());
    let text = |expression: Expression| expression.to_string();
    assert_eq!(
        text((a.clone() - (b.clone() - 1)) * 2),
        "(hcp(north) - (hcp(south) - 1)) * 2"
    );
    assert_eq!(
        text((a.clone().at_least(12) | b.clone().at_least(12)) & !ew().fit(Suit::Clubs, 9)),
        "(hcp(north) >= 12 || hcp(south) >= 12) && !(clubs(east) + clubs(west) >= 9)"
    );
    assert_eq!(text(2 * -a.clone()), "2 * -hcp(north)");
    assert_eq!(text(-Expression::from(2)), "-(2)");
    assert_eq!(
        text(a.clone().greater_than(b.clone()).equals(1)),
        "(hcp(north) > hcp(south)) == 1"
    );
    assert_eq!(
        text(a.greater_than(b).if_else(1, 2) + 3),
        "(hcp(north) > hcp(south) ? 1 : 2) + 3"
    );
}

#[test]
fn no_conditions_are_all_true_and_none_true() {
    assert_eq!(all_of([]).to_string(), "1");
    assert_eq!(any_of([]).to_string(), "0");
    assert_eq!(
        all_of([north().aces().equals(2), ns().hcp().at_least(25)]).to_string(),
        "aces(north) == 2 && hcp(north) + hcp(south) >= 25"
    );
}

#[test]
fn long_and_deep_expressions_are_compiled_and_freed() {
    let mut sum = north().hcp();
    let mut deep = north().hcp();
    for _ in 0..100_000 {
        sum = sum + 1;
        deep = -deep;
    }
    assert_same_plan(&sum);
    assert_same_plan(&deep);
}

#[test]
fn expressions_beyond_the_limit_are_refused() {
    let mut expression = north().hcp();
    for _ in 0..200 {
        expression = expression.clone() + expression;
    }
    let errors = of_tree(&expression).unwrap_err();
    assert!(
        errors[0].render().contains("the limit is 1000000"),
        "{}",
        errors[0].render()
    );
    assert!(of_text(&expression).is_err());
}

#[test]
fn certain_failures_point_into_the_text() {
    let errors = of_tree(&(north().hcp() / 0)).unwrap_err();
    assert_eq!(
        errors[0].render(),
        "built:1:22: error[E801]: division by zero\n    1 | condition hcp(north) / 0\n      |                      ^\n"
    );
}

#[test]
fn wrong_shapes_are_reported() {
    let error = north().shape("any 4444").unwrap_err();
    assert_eq!(
        error,
        ShapesError::Sum {
            pattern: "4444".into(),
            sum: 16
        }
    );
    for wrong in ["", "any", "4333) || (1", "54", "xxxx }"] {
        assert!(north().shape(wrong).is_err(), "{wrong:?}");
    }
}

#[test]
fn predealt_cards_count_for_expressions() {
    let mut options = CompileOptions::default();
    options.predeal[Seat::North] = Some("SAKQ".into());
    let (plan, _) = compile(&north().hcp().at_least(9), "built", &options).unwrap();
    assert_eq!(plan.predeal[Seat::North].len(), 3);
    options.predeal[Seat::South] = Some("SA".into());
    assert!(compile(&north().hcp().at_least(9), "built", &options).is_err());
}
