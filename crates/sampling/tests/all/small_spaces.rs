//! Exhaustive uniformity: predeals eleven cards to each seat, enumerates the 2520 completions, and compares the
//! sampler's count and the frequency of every single deal.
//!
//! A chi-square over all accepted deals exceeds its 10^-9 quantile by chance in about one of a hundred million runs;
//! besides, the seeds are fixed.

use std::collections::HashMap;

use crate::language::ConditionText;
use cards::{BySuit, Card, CardSet, Deal, Seat, Side, Suit};
use croupier_sampling::{
    Budget, Feature, Formula, Holder, Problem, Sampler, SuitFunction, Tracked,
};
use proptest::prelude::*;
use shuffle::{BlockWords, Key, RandomWords, Stream};
use statistics::chi_square::upper_tail;

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
    let dealt = hands.iter().fold(CardSet::EMPTY, |all, hand| all | *hand);
    let free: Vec<Card> = (!dealt).iter().collect();
    let mut list = Vec::new();
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
    place(hands, &free, &mut list);
    assert_eq!(list.len(), 2520);
    list
}

/// The conditions. Letters stand for numbers that are set so that about half of the deals pass.
const TEMPLATES: [&str; 16] = [
    "hcp(north)>=A",
    "hcp(north)>=A and spades(north)<=5",
    "hcp(north)>=A or hcp(south)<=B",
    "hcp(north)+hcp(south)>=20",
    "hcp(north)+hcp(south)>=20 and hearts(north)+hearts(south)>=6",
    "(hcp(north)>=A and hearts(south)>=3) or (hcp(north)<A and spades(south)>=3)",
    "hearts(north)+hearts(south)>=6 and hcp(south)>=B and spades(east)<=4",
    "losers(north)<=7 and aces(south)<=1",
    "spades(north)>=3 and hearts(east)>=3 and diamonds(south)<=4 and clubs(west)<=5",
    "hcp(north)>=A and hcp(south)>=B and spades(east)>=2 and not (hearts(west)>=5)",
    "hcp(north,spades)+spades(north)>=4 and hcp(south)!=B",
    "hcp(north)>=A and hcp(east)<=12 and hcp(south)>=B",
    "hcp(north)>hcp(east) and hcp(south)>hcp(west) and aces(north)>=1",
    "hcp(north)>=A and controls(east)+controls(west)>=5",
    "not hascard(north,KS) and (hascard(south,KS) or hcp(south)<=B)",
    "hcp(north)-hcp(south)+spades(north)-spades(south)>=0",
];

fn condition(template: &str, deals: &[Deal], words: &mut impl RandomWords) -> String {
    let some = deals[words.below(deals.len() as u64) as usize];
    let hcp = |seat| {
        let points = [(12, 4), (11, 3), (10, 2), (9, 1)];
        some[seat]
            .iter()
            .map(|card: Card| {
                let rank = card.rank().index();
                points
                    .iter()
                    .find(|(r, _)| *r == rank)
                    .map_or(0, |(_, p)| *p)
            })
            .sum::<i32>()
    };
    template
        .replace('A', &hcp(Seat::North).to_string())
        .replace('B', &hcp(Seat::South).to_string())
}

#[test]
fn every_completion_is_equally_likely() {
    let mut cases = 0;
    for seed in 0..4 {
        let mut words = BlockWords::new(Stream::Choices, &Key::from_seed(seed), 0);
        let hands = almost_dealt(&mut words);
        let deals = completions(hands);
        let predeal: String = Seat::ALL
            .iter()
            .map(|&seat| format!(" {} {}", seat.name(), hands[seat.index()].suit_holdings()))
            .collect();
        for template in TEMPLATES {
            let text = format!(
                "predeal{predeal}; {}",
                condition(template, &deals, &mut words)
            );
            let text = ConditionText::read(&text.replace("predeal North", "predeal north"));
            let wanted: Vec<Deal> = deals
                .iter()
                .copied()
                .filter(|deal| text.accepts(deal))
                .collect();
            let sampler = Sampler::new(&text.problem(), Budget::default()).unwrap();
            assert!(sampler.is_complete(), "{template}");
            let count = sampler.count();
            assert_eq!(
                count.hits() * 2520,
                wanted.len() as u128 * count.out_of(),
                "{template} with seed {seed}"
            );
            if wanted.len() < 2 {
                continue;
            }
            cases += 1;
            let draws = 40 * wanted.len();
            let mut seen: HashMap<Deal, u32> = wanted.iter().map(|&deal| (deal, 0)).collect();
            for _ in 0..draws {
                let deal = sampler.draw(&mut words).unwrap();
                *seen
                    .get_mut(&deal)
                    .expect("a deal that does not satisfy the condition") += 1;
            }
            let chi: f64 = seen
                .values()
                .map(|&n| (f64::from(n) - 40.0).powi(2) / 40.0)
                .sum();
            let surprise = upper_tail(chi, wanted.len() as f64 - 1.0);
            assert!(
                surprise > 1e-9,
                "{template} with seed {seed}: {chi} of {}",
                wanted.len()
            );
        }
    }
    assert!(cases >= 48, "{cases}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(6))]

    /// Counts do not depend on the order of the suits, on which hand comes first, or on piles of two suits.
    #[test]
    fn counts_do_not_depend_on_the_layout(
        a in 8i32..16, width in 0i32..5, spades in 0i32..6, b in 4i32..14, hearts in 0i32..5,
    ) {
        let text = format!(
            "hcp(north)>={a} and hcp(north)<={} and spades(north)>={spades} and hcp(south)>={b} \
             and hcp(south)<={} and hearts(south)>={hearts}", a + width, b + 3);
        let problem = ConditionText::read(&text).problem();
        let count = |tracked, order, merge| {
            let sampler = Sampler::tracking(&problem, tracked, order, merge, Budget::large()).unwrap();
            prop_assert!(sampler.is_complete());
            Ok(sampler.count().hits())
        };
        let (north, south) = (Seat::North, Seat::South);
        let one = count(Tracked::Two(north, south), 0, true)?;
        prop_assert_eq!(one, count(Tracked::Two(south, north), 1, true)?);
        prop_assert_eq!(one, count(Tracked::Two(north, south), 2, false)?);
    }
}

/// Losers of both partners together, followed as one sum or as one number for each hand.
#[test]
fn sums_of_both_hands_are_counted_like_pairs() {
    let losers = SuitFunction::tabulate(|held| {
        let high = (held.0 >> 10).count_ones() as i32;
        (held.len() as i32).min(3) - high.min(held.len() as i32)
    });
    let functions = BySuit::from_fn(|_: Suit| Some(losers.clone()));
    let mut together = Problem::new();
    let sum = together.feature(Feature {
        holder: Holder::Side(Side::NorthSouth),
        functions,
    });
    let spades = together.length(Seat::North, Suit::Spades);
    together.require(Formula::between(sum, 0, 9));
    together.require(Formula::between(spades, 6, 13));
    let mut apart = Problem::new();
    let [north, south] = [Seat::North, Seat::South].map(|seat| apart.points(seat, losers.clone()));
    apart.require(Formula::atom(vec![north, south], |it| it[0] + it[1] <= 9));
    apart.require(Formula::between(spades, 6, 13));
    let [together, apart] = [together, apart].map(|problem| {
        let sampler = Sampler::new(&problem, Budget::large()).unwrap();
        assert!(sampler.is_complete());
        for number in 0..200 {
            let deal = sampler.sample(&Key::from_seed(7), number).unwrap();
            assert!(problem.accepts(&deal));
        }
        sampler
    });
    assert_eq!(together.count(), apart.count());
    assert!(together.bytes() < apart.bytes());
}
