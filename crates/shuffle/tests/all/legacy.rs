//! Compares the classic generators with the output of the classic programs.

use std::collections::BTreeMap;

use crate::support::{deal, number, rows};
use cards::{Deal, Hand, Rank, Seat, Suit};
use croupier_shuffle::legacy::{LegacyDealer, LengthPredeal, V1, V2, V2Start, Variant};
use croupier_shuffle::{Predeal, Swap};

fn v1(seed: i64) -> V1 {
    V1::new(Variant::Debian, seed, &Predeal::NONE, Swap::Off)
}

fn v2(seed: i64) -> V2 {
    V2::new(V2Start::from_seed(seed), Swap::Off)
}

fn hcp(hand: Hand) -> usize {
    let points = |rank: Rank| rank.index().saturating_sub(Rank::TEN.index());
    hand.iter().map(|card| points(card.rank())).sum()
}

/// Evaluates a condition of accept-conditions.csv. A test checks the texts of the conditions.
fn condition(name: &str, deal: &Deal) -> bool {
    let length = |seat, suit| deal.hand(seat).holding(suit).len();
    match name {
        "A1" => hcp(deal[Seat::North]) >= 15,
        "A2" => length(Seat::South, Suit::Spades) >= 5 && hcp(deal[Seat::South]) <= 10,
        "A3" => length(Seat::East, Suit::Hearts) + length(Seat::West, Suit::Hearts) <= 3,
        _ => panic!("unknown condition {name}"),
    }
}

/// Compares the runs of a file. Rows with equal leading fields belong to one run. Each row then has the number of a produced deal and the deal.
fn check_runs<D: LegacyDealer>(file: &str, key_fields: usize, start: impl Fn(&[String]) -> D) {
    let mut run: Option<(Vec<String>, D, u32)> = None;
    for row in rows(file) {
        let key = row[..key_fields].to_vec();
        if run.as_ref().is_none_or(|(running, ..)| *running != key) {
            run = Some((key.clone(), start(&key), 0));
        }
        let (_, dealer, produced) = run.as_mut().unwrap();
        let mut last = None;
        while *produced < number(&row[key_fields]) {
            last = dealer.next_deal();
            if last.is_some() {
                dealer.accept();
                *produced += 1;
            }
        }
        assert_eq!(last, Some(deal(row.last().unwrap())), "{file} {row:?}");
    }
}

fn swap(text: &str) -> Swap {
    Swap::from_switch(number(text)).unwrap()
}

fn predeal_cases() -> BTreeMap<String, Predeal> {
    let case = |row: Vec<String>| {
        let text = row[1]
            .strip_prefix("predeal ")
            .expect("a predeal statement")
            .to_owned();
        (
            row[0].clone(),
            text.parse()
                .unwrap_or_else(|error| panic!("{text}: {error}")),
        )
    };
    rows("legacy/predeal-cases.csv")
        .into_iter()
        .map(case)
        .collect()
}

#[test]
fn raw_numbers_of_the_three_generators() {
    for row in rows("legacy/rng.csv") {
        let (seed, n): (i64, usize) = (number(&row[0]), number(&row[1]));
        // A bound of 2^31 scales the 31-bit output by one.
        let nth = |dealer: V1| {
            std::iter::repeat_with({
                let mut dealer = dealer;
                move || dealer.rnd(1 << 31)
            })
            .nth(n - 1)
        };
        assert_eq!(nth(v1(seed)), Some(number(&row[2])), "{row:?}");
        let upstream = V1::new(Variant::Upstream, seed, &Predeal::NONE, Swap::Off);
        assert_eq!(nth(upstream), Some(number(&row[3])), "{row:?}");
        let mut second = v2(seed);
        (0..n).for_each(|_| {
            second.rnd(1);
        });
        assert_eq!(format!("{:012x}", second.state()), row[4], "{row:?}");
    }
}

#[test]
fn plain_deals() {
    check_runs("legacy/v1-deals.csv", 1, |key| v1(number(&key[0])));
    check_runs("legacy/v1-upstream-deals.csv", 1, |key| {
        V1::new(
            Variant::Upstream,
            number(&key[0]),
            &Predeal::NONE,
            Swap::Off,
        )
    });
    check_runs("legacy/v2-deals.csv", 1, |key| v2(number(&key[0])));
}

#[test]
fn swapped_deals() {
    check_runs("legacy/v1-swap.csv", 2, |key| {
        V1::new(
            Variant::Debian,
            number(&key[0]),
            &Predeal::NONE,
            swap(&key[1]),
        )
    });
    check_runs("legacy/v2-swap.csv", 2, |key| {
        V2::new(V2Start::from_seed(number(&key[0])), swap(&key[1]))
    });
}

#[test]
fn predealt_cards() {
    let cases = predeal_cases();
    check_runs("legacy/v1-predeal.csv", 2, |key| {
        V1::new(Variant::Debian, number(&key[0]), &cases[&key[1]], Swap::Off)
    });
    check_runs("legacy/v1-predeal-swap.csv", 3, |key| {
        V1::new(
            Variant::Debian,
            number(&key[0]),
            &cases[&key[1]],
            swap(&key[2]),
        )
    });
    check_runs("legacy/v2-predeal.csv", 2, |key| {
        V2::with_predeal(V2Start::from_seed(number(&key[0])), &cases[&key[1]])
    });
}

/// Reads a line such as `predeal hearts(east)==6 diamonds(east)==5`.
fn lengths(text: &str) -> LengthPredeal {
    let mut lengths = LengthPredeal::NONE;
    for word in text.split_whitespace().skip(1) {
        let (suit, rest) = word.split_once('(').unwrap();
        let (seat, length) = rest.split_once(")==").unwrap();
        let suit = Suit::ALL
            .into_iter()
            .find(|s| s.name().eq_ignore_ascii_case(suit))
            .unwrap();
        let seat = Seat::ALL
            .into_iter()
            .find(|s| s.name().eq_ignore_ascii_case(seat))
            .unwrap();
        lengths.require(seat, suit, number(length)).unwrap();
    }
    lengths
}

#[test]
fn required_lengths() {
    let case = |row: Vec<String>| (row[0].clone(), lengths(&row[1]));
    let cases: BTreeMap<String, LengthPredeal> = rows("legacy/bias-cases.csv")
        .into_iter()
        .map(case)
        .collect();
    let start =
        |key: &[String]| V2::with_lengths(V2Start::from_seed(number(&key[0])), &cases[&key[1]]);
    check_runs("legacy/v2-bias.csv", 2, start);

    for row in rows("legacy/v2-bias-summary.csv") {
        let (generate, produce): (u32, u32) = (number(&row[2]), number(&row[3]));
        let mut dealer = start(&row[..2]);
        let (mut tried, mut produced) = (0, 0);
        while tried < generate && produced < produce {
            tried += 1;
            produced += u32::from(dealer.next_deal().is_some());
        }
        assert_eq!(
            (tried, produced),
            (number(&row[4]), number(&row[5])),
            "{row:?}"
        );
    }
}

/// Runs of 600 deals with a condition. The summary counts all of them; the other file holds the first ones.
fn check_accepted<D: LegacyDealer>(version: &str, start: impl Fn(i64) -> D) {
    let mut listed = rows(&format!("legacy/{version}-accept.csv"))
        .into_iter()
        .peekable();
    for row in rows(&format!("legacy/{version}-accept-summary.csv")) {
        let mut dealer = start(number(&row[0]));
        let (mut produced, generated): (usize, usize) = (0, number(&row[2]));
        for index in 1..=generated {
            let dealt = dealer.next_deal().unwrap();
            if !condition(&row[1], &dealt) {
                continue;
            }
            dealer.accept();
            produced += 1;
            let here = [row[0].clone(), row[1].clone(), produced.to_string()];
            if let Some(expected) = listed.next_if(|listed| listed[..3] == here) {
                assert_eq!(
                    (index, dealt),
                    (number(&expected[3]), deal(&expected[4])),
                    "{expected:?}"
                );
            }
        }
        assert_eq!(produced, number::<usize>(&row[3]), "{version} {row:?}");
    }
    assert!(listed.next().is_none(), "every listed deal was met");
}

#[test]
fn deals_after_accepted_deals() {
    let texts: Vec<String> = rows("legacy/accept-conditions.csv")
        .into_iter()
        .map(|row| row[1].clone())
        .collect();
    let expected = [
        "hcp(north)>=15",
        "spades(south)>=5 and hcp(south)<=10",
        "hearts(east)+hearts(west)<=3",
    ];
    assert_eq!(texts, expected);
    check_accepted("v1", v1);
    check_accepted("v2", v2);
}

/// Draws by v2's rules for `rnd(rnd(9))`: the argument is evaluated twice unless it is 0 the first time, and `rnd(0)`
/// is the number of deals produced so far.
fn v2_nested(dealer: &mut V2, produced: i64) -> i64 {
    match dealer.rnd(9) {
        0 => produced,
        _ => {
            let argument = dealer.rnd(9);
            dealer.rnd(argument)
        }
    }
}

#[test]
fn rnd_in_actions_shifts_the_deals() {
    check_rnd("legacy/v1-rnd.csv", v1, |dealer, _| {
        let argument = dealer.rnd(9);
        dealer.rnd(argument)
    });
    check_rnd("legacy/v2-rnd.csv", v2, v2_nested);
}

fn check_rnd<D: LegacyDealer>(
    file: &str,
    start: impl Fn(i64) -> D,
    nested: impl Fn(&mut D, i64) -> i64,
) {
    let mut run: Option<(String, D, i64)> = None;
    for row in rows(file) {
        if run.as_ref().is_none_or(|(seed, ..)| *seed != row[0]) {
            run = Some((row[0].clone(), start(number(&row[0])), 0));
        }
        let (_, dealer, produced) = run.as_mut().unwrap();
        let mut last = None;
        while *produced < number(&row[1]) {
            let dealt = dealer.next_deal();
            dealer.accept();
            *produced += 1;
            last = dealt.map(|dealt| {
                (
                    dealt,
                    [
                        dealer.rnd(100),
                        dealer.rnd(2147483647),
                        nested(dealer, *produced),
                    ],
                )
            });
        }
        let drawn = [3, 4, 5].map(|field: usize| number(&row[field]));
        assert_eq!(last, Some((deal(&row[2]), drawn)), "{file} {row:?}");
    }
}

/// `condition hcp(north)>=10 and rnd(3)==1` draws only if the first half holds.
#[test]
fn rnd_in_the_condition_shifts_the_deals() {
    fn run(mut dealer: impl LegacyDealer) -> Vec<Deal> {
        let mut produced = Vec::new();
        for _ in 0..200 {
            let dealt = dealer.next_deal().unwrap();
            if hcp(dealt[Seat::North]) >= 10 && dealer.rnd(3) == 1 {
                dealer.accept();
                produced.push(dealt);
            }
        }
        produced
    }
    for row in rows("legacy/rnd-condition.csv") {
        let seed = number(&row[1]);
        let produced = if row[0] == "v1" {
            run(v1(seed))
        } else {
            run(v2(seed))
        };
        assert_eq!(produced.len(), number::<usize>(&row[2]), "{row:?}");
        assert_eq!(produced.first(), Some(&deal(&row[3])), "{row:?}");
        assert_eq!(produced.last(), Some(&deal(&row[4])), "{row:?}");
    }
}

/// Library mode: the records of a file in reading order, at most twice.
#[test]
fn deals_of_a_library() {
    use formats::zrd::{self, RECORD, Record, RecordOrder};
    let path =
        std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/legacy/library.hex");
    let text = std::fs::read_to_string(path).unwrap();
    let digits: String = text.split_whitespace().collect();
    let bytes: Vec<u8> = (0..digits.len() / 2)
        .map(|i| u8::from_str_radix(&digits[2 * i..2 * i + 2], 16).unwrap())
        .collect();
    assert_eq!(bytes.len() % RECORD, 0);

    let mut listed = rows("legacy/v2-library.csv").into_iter().peekable();
    while let Some(seed) = listed.peek().map(|row| row[0].clone()) {
        let (records, _) = bytes.as_chunks::<RECORD>();
        let library = RecordOrder::new(records.len(), number(&seed));
        let limit = library.records();
        let (mut dealt, mut wraps, mut step) = (0, 0, 0);
        while dealt < limit {
            let Some((record, passed)) = library.step(step) else {
                wraps = 2;
                break;
            };
            (wraps, step) = (passed, step + 1);
            if let Record::Deal(board, _) = zrd::decode(&records[record]) {
                dealt += 1;
                let row = listed.next().unwrap();
                assert_eq!(row, [seed.clone(), dealt.to_string(), board.to_string()]);
            }
        }
        // v2 prints the limit when the last deal but one has been dealt.
        let generated = if dealt + 1 >= limit { limit } else { dealt };
        let summary = format!(
            "{generated};Library file records read {dealt}, Wrap Arounds={wraps} | Library file starting seed {}",
            library.start_block()
        );
        assert_eq!(listed.next().unwrap(), [seed, "end".to_owned(), summary]);
    }
}

/// Runs of a million deals, compared by the histogram of North's points.
fn check_deep(rows: impl Iterator<Item = Vec<String>>) {
    let predeal: Predeal = "north SAK, H2 west DQJT9".parse().unwrap();
    for row in rows {
        let seed = number(&row[1]);
        let mut dealer: Box<dyn LegacyDealer> = match (row[0].as_str(), row[2].as_str()) {
            ("v1", "predeal") => Box::new(V1::new(Variant::Debian, seed, &predeal, Swap::Off)),
            ("v1", _) => Box::new(v1(seed)),
            (_, "predeal") => Box::new(V2::with_predeal(V2Start::from_seed(seed), &predeal)),
            _ => Box::new(v2(seed)),
        };
        let mut histogram = [0u32; 38];
        for _ in 0..number(&row[3]) {
            let dealt = dealer.next_deal().unwrap();
            let holds = || {
                hcp(dealt[Seat::South]) >= 12 && dealt[Seat::West].holding(Suit::Spades).len() <= 2
            };
            if row[2] != "condition" || holds() {
                dealer.accept();
                histogram[hcp(dealt[Seat::North])] += 1;
            }
        }
        let filled = histogram
            .iter()
            .enumerate()
            .filter(|(_, count)| **count > 0);
        let text: Vec<String> = filled
            .map(|(points, count)| format!("{points}:{count}"))
            .collect();
        assert_eq!(text.join(" "), row[5], "{row:?}");
        assert_eq!(
            histogram.iter().sum::<u32>(),
            number::<u32>(&row[4]),
            "{row:?}"
        );
    }
}

#[test]
fn a_million_deals_of_the_first_seeds() {
    let all = rows("legacy/deep.csv");
    let first_seed = all[0][1].clone();
    check_deep(all.into_iter().filter(|row| row[1] == first_seed));
}

#[test]
#[ignore = "eighteen million deals; run by the long check"]
fn long_a_million_deals_of_every_listed_run() {
    check_deep(rows("legacy/deep.csv").into_iter());
}
