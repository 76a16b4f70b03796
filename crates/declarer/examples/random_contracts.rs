//! Plays random contracts double dummy, with depth 1 and with depth 2, on the same layouts.
//!
//! `cargo run --release -p croupier-declarer --example random_contracts -- CONTRACTS LAYOUTS WORLDS`
//!
//! Deals are random. South plays in the longest suit of the two hands, or in notrump without eight cards in a major or nine
//! in a minor. The level is that of the average double-dummy tricks over 20 layouts, so that contracts are about even.

use std::time::{Duration, Instant};

use cards::{Contract, Deal, Doubling, Seat, Strain, Suit};
use croupier_declarer::{
    LayoutSource, PlanOptions, PlayQuestion, PlayoutOptions, Playouts, UniformLayouts, play_out,
};
use shuffle::{FastDealer, Key, Predeal};
use solver::Solver;
use studies::{DeclaredContract, Estimate, StudyExecution};

/// Number of layouts for the average tricks.
const LEVEL_LAYOUTS: usize = 20;

fn strain(deal: &Deal) -> Strain {
    let length = |suit: Suit| {
        let hands = [Seat::North, Seat::South].map(|seat| deal.hand(seat).holding(suit).len());
        hands[0] + hands[1]
    };
    let majors = [Suit::Spades, Suit::Hearts];
    let minors = [Suit::Diamonds, Suit::Clubs];
    let long = |suits: [Suit; 2], least: usize| {
        let fits = suits.into_iter().filter(|&suit| length(suit) >= least);
        fits.max_by_key(|&suit| length(suit))
    };
    let suit = long(majors, 8).or_else(|| long(minors, 9));
    let strain = |suit| Strain::ALL.into_iter().find(|it| it.suit() == Some(suit));
    suit.and_then(strain).unwrap_or(Strain::Notrump)
}

/// Returns the contract of South, and the question before the lead; `None` if North-South take fewer than 7 tricks.
fn contract(deal: &Deal, number: u64) -> Option<PlayQuestion> {
    let strain = strain(deal);
    let declared = |level| {
        let contract = Contract::new(level, strain, Doubling::Undoubled);
        contract.map(|contract| DeclaredContract {
            contract,
            declarer: Seat::South,
        })
    };
    let any = PlayQuestion::of_deal(declared(1)?, deal);
    let layouts = UniformLayouts::new(number)
        .layouts(&any, LEVEL_LAYOUTS)
        .ok()?;
    let mut solver = Solver::new();
    let tricks: u32 = layouts
        .iter()
        .map(|deal| u32::from(solver.tricks(deal, Seat::South, strain)))
        .sum();
    let mean = f64::from(tricks) / LEVEL_LAYOUTS as f64;
    let level = (mean.round() as u8).checked_sub(6)?;
    Some(PlayQuestion::of_deal(declared(level)?, deal))
}

fn main() {
    let mut numbers = std::env::args().skip(1).map(|text| text.parse().ok());
    let mut next = |usual: usize| numbers.next().flatten().unwrap_or(usual);
    let (contracts, layouts, worlds) = (next(200), next(3), next(20));
    let dealer = FastDealer::new(Key::from_seed(2026), &Predeal::NONE);
    let mut totals = [Playouts::default(); 2];
    let mut times = [Duration::ZERO; 2];
    let mut done = 0;
    for number in 0.. {
        if done == contracts {
            break;
        }
        let Some(question) = contract(&dealer.deal(number), number) else {
            continue;
        };
        done += 1;
        let deals = UniformLayouts::new(1_000_000 + number).layouts(&question, layouts);
        let deals = deals.expect("uniform layouts always exist");
        let mut made = Vec::new();
        for depth in [1, 2] {
            let options = PlayoutOptions {
                plan: PlanOptions {
                    depth,
                    worlds,
                    ..PlayoutOptions::default().plan
                },
            };
            let execution = StudyExecution {
                threads: 1,
                ..StudyExecution::default()
            };
            let start = Instant::now();
            let source = UniformLayouts::new(7);
            let result = play_out(&question, &deals, &source, &options, execution);
            times[depth - 1] += start.elapsed();
            let result = result.expect("the options are valid");
            let total = &mut totals[depth - 1];
            total.deals += result.deals;
            total.made += result.made;
            total.made_double_dummy += result.made_double_dummy;
            made.push(result);
        }
        println!(
            "{done},{},{},{},{},{}",
            question.declared(),
            layouts,
            made[0].made_double_dummy,
            made[0].made,
            made[1].made
        );
    }
    let percent = |share: Estimate| {
        let [value, low, high] = share.scaled(100.0).texts(Some(1));
        format!("{value} % ({low} to {high})")
    };
    println!("# {done} contracts, {layouts} layouts each, {worlds} worlds for each card");
    println!("# double dummy {}", percent(totals[0].double_dummy_share()));
    for (depth, (total, time)) in totals.iter().zip(times).enumerate() {
        let each = time.as_secs_f64() / total.deals as f64;
        let share = percent(total.share());
        println!(
            "# depth {}: {share}, {each:.2} s for each playout",
            depth + 1
        );
    }
}
