//! Conditions that the sampler translates in spite of their form: sums of parts about one suit, and disjunctions that
//! no table holds as a whole. Eleven cards of each hand are fixed, so that all 2520 deals can be enumerated, and the
//! language's evaluator selects the deals that satisfy a condition.

use std::collections::{HashMap, HashSet};

use cards::{Card, CardSet, Deal, Seat, Suit};
use croupier_engine::{
    Analysis, DealFacts, Machine, NoRandom, Options, PreparedPlan, Program, chances,
};
use sampling::{Budget, CostMeter};
use script::plan::Plan;
use script::{CompileOptions, ScriptSource, compile};
use shuffle::{BlockWords, Key, RandomWords, Stream};

fn plan(text: &str) -> Plan {
    let source = ScriptSource::new("test", text);
    let compiled = compile(&source, &CompileOptions::default());
    compiled
        .unwrap_or_else(|errors| panic!("{text}: {}", errors[0].render()))
        .0
}

/// Deals all but eight random cards, eleven to each seat.
fn almost_dealt(words: &mut impl RandomWords) -> [CardSet; 4] {
    let mut deck: Vec<usize> = (0..52).collect();
    for i in (1..52).rev() {
        deck.swap(i, words.below(i as u64 + 1) as usize);
    }
    let mut hands = [CardSet::EMPTY; 4];
    for (place, index) in deck.into_iter().take(44).enumerate() {
        hands[place % 4].insert(Card::from_index(index).unwrap());
    }
    hands
}

fn completions(hands: [CardSet; 4]) -> Vec<Deal> {
    fn place(hands: [CardSet; 4], free: &[Card], list: &mut Vec<Deal>) {
        let Some((card, rest)) = free.split_first() else {
            list.push(Deal::new(hands).unwrap());
            return;
        };
        for seat in 0..4 {
            if hands[seat].len() < 13 {
                let mut more = hands;
                more[seat].insert(*card);
                place(more, rest, list);
            }
        }
    }
    let dealt = hands.iter().fold(CardSet::EMPTY, |all, hand| all | *hand);
    let free: Vec<Card> = (!dealt).iter().collect();
    let mut list = Vec::new();
    place(hands, &free, &mut list);
    assert_eq!(list.len(), 2520);
    list
}

/// Returns the fixed cards as a `predeal` statement.
fn predeal(hands: &[CardSet; 4]) -> String {
    let mut text = String::from("predeal");
    for seat in Seat::ALL {
        let suits = Suit::DESCENDING.into_iter().filter_map(|suit| {
            let held = hands[seat.index()].holding(suit);
            let ranks: String = (0..13)
                .rev()
                .filter(|rank| held.0 >> rank & 1 == 1)
                .map(|rank| "23456789TJQKA".as_bytes()[rank] as char)
                .collect();
            let letter = ["C", "D", "H", "S"][suit.index()];
            (!ranks.is_empty()).then(|| format!("{letter}{ranks}"))
        });
        let cards: Vec<String> = suits.collect();
        text += &format!(" {} {}", seat.to_string().to_lowercase(), cards.join(","));
    }
    text + "\n"
}

/// Returns the completions that satisfy the condition of a plan.
fn satisfying(plan: &Plan, all: &[Deal]) -> Vec<Deal> {
    let condition = plan.condition.unwrap();
    let options = Options::default();
    let prepared = PreparedPlan::new(plan, &options);
    let program = Program::new(plan, [condition]);
    let mut machine = Machine::new(&prepared, &program);
    let mut holds = |deal: Deal| {
        machine.set_deal(deal, DealFacts::new(), 0, 0);
        machine.evaluate(condition, &mut NoRandom).unwrap() != 0
    };
    all.iter().copied().filter(|&deal| holds(deal)).collect()
}

fn total_points(seat: &str) -> String {
    let suits = ["spades", "hearts", "diamonds", "clubs"].map(|suit| {
        format!("({suit}({seat})==0 ? 3 : {suit}({seat})<=1 ? 2 : {suit}({seat})==2 ? 1 : 0)")
    });
    format!("(hcp({seat})+{})", suits.join("+"))
}

fn guarded_points(seat: &str) -> String {
    let suits = ["spades", "hearts", "diamonds", "clubs"]
        .map(|suit| format!("({suit}({seat})<3 and hcp({seat},{suit})>0)"));
    format!("(2*hcp({seat})-{})", suits.join("-"))
}

#[test]
fn sums_of_parts_about_one_suit_are_counted_exactly() {
    let [tp, up] = ["north", "south"].map(|seat| (total_points(seat), guarded_points(seat)));
    let conditions = [
        format!("{}>=13", tp.0),
        format!("{}>=12 and spades(north)<=4 and hcp(north)>=9", tp.0),
        format!("{}>=11 and {}>=20", tp.0, up.1),
        format!("{}+{}>=23 and hearts(north)+hearts(south)>=6", tp.0, up.0),
        format!("{}-{}<=1 or {}>=25", tp.0, up.0, tp.1),
        format!("not ({}>=12 and {}<=18)", tp.0, tp.1),
        "(spades(north)>=4 ? controls(north,spades) : losers(north,spades)) \
         + (hearts(north)>=4)*quality(north,hearts)/50 >= 2 and aces(south)<=1"
            .to_owned(),
    ];
    let mut some = 0;
    for (seed, condition) in (0..).zip(conditions.iter().cycle().take(21)) {
        let mut words = BlockWords::new(Stream::Choices, &Key::from_seed(31), seed);
        let hands = almost_dealt(&mut words);
        let script = plan(&format!("{}condition {condition}\n", predeal(&hands)));
        let hits = satisfying(&script, &completions(hands)).len() as u128;
        let found = chances(&script, &Options::default(), &Key::from_seed(1), 100).unwrap();
        assert!(found.is_exact(), "{condition}");
        let (ours, all) = (found.bound.hits(), found.bound.out_of());
        assert_eq!(ours * 2520, hits * all, "{condition}\n{}", predeal(&hands));
        some += u32::from(hits > 0 && hits < 2520);
    }
    assert!(some >= 10, "only {some} conditions say anything");
}

/// Returns the sum of (observed - expected)^2 / expected over deals that should be equally frequent.
fn chi_square(seen: &HashMap<Deal, u32>, deals: &[Deal], drawn: u32) -> f64 {
    let expected = f64::from(drawn) / deals.len() as f64;
    let times = deals
        .iter()
        .map(|deal| seen.get(deal).copied().unwrap_or(0));
    times
        .map(|times| (f64::from(times) - expected).powi(2) / expected)
        .sum()
}

/// Each candidate is a deal of the union or empty, every deal of the union is equally likely, and candidates are as
/// frequent as the count. The last check fails if an empty candidate is counted as a deal.
#[test]
fn alternatives_are_drawn_uniformly_from_their_union() {
    let conditions = [
        "(hcp(north)>=A and spades(north)>=3) or (hcp(east)>=B and hearts(east)>=3) or (hcp(south)>=C and clubs(south)>=3)",
        "(hcp(north)>=A and hearts(west)<=2) or (hcp(west)>=B and losers(south)<=7) or (hcp(east)>=C and spades(east)>=3)",
    ];
    let (mut tested, mut empty_places) = (0, 0);
    for seed in 0..30u64 {
        let mut words = BlockWords::new(Stream::Choices, &Key::from_seed(47), seed);
        let hands = almost_dealt(&mut words);
        let all = completions(hands);
        // Low limits, so that the alternatives overlap.
        let condition = ['A', 'B', 'C']
            .into_iter()
            .fold(conditions[seed as usize % 2].to_owned(), |text, letter| {
                text.replace(letter, &(6 + words.below(9)).to_string())
            });
        let script = plan(&format!("{}condition {condition}\n", predeal(&hands)));
        let union = satisfying(&script, &all);
        let analysis = Analysis::new(&script);
        let meter = CostMeter::new(Budget::default());
        let Ok(sampler) = analysis.with_alternatives(&meter) else {
            continue;
        };
        if union.is_empty() {
            continue;
        }
        let members: HashSet<Deal> = union.iter().copied().collect();
        let holds = |deal: &Deal| members.contains(deal);
        let mut split = false;
        let mut seen: HashMap<Deal, u32> = HashMap::new();
        let (mut taken, mut empty) = (0u32, 0u32);
        let mut candidates = Vec::new();
        for block in 0..(union.len() as u64 / 30 + 12) {
            sampler.candidates(&Key::from_seed(seed), block, &mut candidates);
            for candidate in &candidates {
                // A run counts deals that the evaluator rejects as empty, so this test does too.
                match candidate {
                    Some(deal) if holds(deal) => {
                        taken += 1;
                        *seen.entry(*deal).or_default() += 1;
                    }
                    _ => empty += 1,
                }
                split |= candidate.is_none();
            }
        }
        let freedom = (union.len() - 1) as f64;
        let limit = freedom + 6.5 * (2.0 * freedom).sqrt() + 30.0;
        let found = chi_square(&seen, &union, taken);
        assert!(found < limit, "{condition}: {found} > {limit}");
        // There is one candidate for each deal of every alternative; one for each deal of the union is taken.
        let share = sampler.count().hits() as f64 / sampler.count().out_of() as f64;
        let expected = union.len() as f64 / 2520.0 / share;
        let n = f64::from(taken + empty);
        let error = (expected * (1.0 - expected) / n).sqrt();
        let rate = f64::from(taken) / n;
        assert!(
            (rate - expected).abs() <= 5.0 * error + 1e-12,
            "{condition}: {rate} {expected}"
        );
        if empty > taken / 20 {
            assert!((f64::from(taken + empty) / n - expected).abs() > 5.0 * error);
        }
        tested += 1;
        empty_places += u32::from(split);
    }
    assert!(
        tested >= 4 && empty_places >= 2,
        "{tested} tested, {empty_places} overlap"
    );
}
