//! What can be seen of a deal at a glance, and helps to explain what it is worth.

use cards::{Deal, Suit};
use solver::estimate;
use solver::study::Declared;

/// How far tricks spread around their estimate: one standard error, a trick.
const SPREAD: f64 = 1.0;

/// The chances of 0 to 13 tricks, given an estimate in hundredths.
fn chances(hundredths: i32) -> [f64; 14] {
    let centre = f64::from(hundredths) / 100.0;
    let mut chances: [f64; 14] = std::array::from_fn(|tricks| {
        let away = (tricks as f64 - centre) / SPREAD;
        (-0.5 * away * away).exp()
    });
    let total: f64 = chances.iter().sum();
    chances.iter_mut().for_each(|chance| *chance /= total);
    chances
}

/// What a number that depends on the tricks is on average, given an estimate.
fn expected(hundredths: i32, of: impl Fn(u8) -> f64) -> f64 {
    let chances = chances(hundredths);
    chances
        .iter()
        .zip(0..)
        .map(|(chance, tricks)| chance * of(tricks))
        .sum()
}

/// High card points of a holding.
fn points(holding: u16) -> f64 {
    let bit = |n: u16| f64::from(holding >> n & 1);
    4.0 * bit(12) + 3.0 * bit(11) + 2.0 * bit(10) + bit(9)
}

/// Controls for the leads against a contract: the estimate for declarer and what it means for the score, and partner's
/// and declarer's points and lengths in each suit, for they make one lead better than another.
#[must_use]
pub fn of_leads(deal: &Deal, declared: &Declared, score: impl Fn(u8) -> f64) -> Vec<f64> {
    let strain = declared.contract.strain;
    let guess = estimate(deal, declared.declarer.side(), strain);
    let needed = declared.contract.tricks_needed();
    let mut controls = vec![
        f64::from(guess) / 100.0,
        expected(guess, score),
        expected(guess, |tricks| f64::from(u8::from(tricks >= needed))),
    ];
    let partner = deal.hand(declared.declarer.clockwise(3));
    let declarer = deal.hand(declared.declarer);
    for suit in Suit::ALL {
        controls.push(points(partner.holding(suit).0));
        controls.push(points(declarer.holding(suit).0));
        controls.push(partner.holding(suit).len() as f64);
        controls.push(declarer.holding(suit).len() as f64);
    }
    controls
}

/// Controls for contracts on the same deals: the estimate of each, what it means for score and success, and for the IMPs
/// between each two.
#[must_use]
pub fn of_contracts(
    deal: &Deal,
    contracts: &[Declared],
    score: impl Fn(usize, u8) -> i32,
) -> Vec<f64> {
    let mut controls = Vec::new();
    let guesses: Vec<i32> = contracts
        .iter()
        .map(|declared| estimate(deal, declared.declarer.side(), declared.contract.strain))
        .collect();
    for (i, (&guess, declared)) in guesses.iter().zip(contracts).enumerate() {
        let needed = declared.contract.tricks_needed();
        controls.push(f64::from(guess) / 100.0);
        controls.push(expected(guess, |tricks| f64::from(score(i, tricks))));
        controls.push(expected(guess, |tricks| {
            f64::from(u8::from(tricks >= needed))
        }));
    }
    for i in 0..contracts.len() {
        for j in 0..i {
            let imps = expected(guesses[i], |ours| {
                let ours = score(i, ours);
                expected(guesses[j], |theirs| {
                    f64::from(cards::scoring::imps(ours - score(j, theirs)))
                })
            });
            controls.push(imps);
        }
    }
    controls
}
