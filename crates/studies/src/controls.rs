//! What can be seen of a deal at a glance, and helps to explain what it is worth.

use cards::{Deal, Side, Strain, Suit, scoring};
use solver::study::Declared;
use solver::{Bounds, estimate};

use crate::tables::game;

/// How far tricks spread around their estimate, in a suit and in notrump.
const SPREADS: [f64; 2] = [0.7, 1.0];

/// The controls of leads that are trusted more than the others: the first of them.
pub const FEW_OF_LEADS: usize = 13;

/// The estimate of a side's tricks, in hundredths, and how far they spread around it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Guess {
    hundredths: i32,
    spread: f64,
}

impl Guess {
    fn new(hundredths: i32, strain: Strain) -> Guess {
        let spread = SPREADS[usize::from(strain == Strain::Notrump)];
        Guess { hundredths, spread }
    }

    /// The tricks of a side that declares.
    pub fn of(deal: &Deal, side: Side, strain: Strain) -> Guess {
        let holdings = estimate::holdings(deal);
        Guess::new(estimate::of_holdings(&holdings, side, strain), strain)
    }

    /// Those of its opponents.
    pub fn opposed(self) -> Guess {
        Guess {
            hundredths: 1300 - self.hundredths,
            ..self
        }
    }

    /// The same, trusted half as much.
    pub fn doubted(self) -> Guess {
        Guess {
            spread: 2.0 * self.spread,
            ..self
        }
    }

    /// The tricks, within bounds, below which lie so many of all possible ones, 0 to 1.
    pub fn quantile(self, share: f64, bounds: Bounds) -> u8 {
        let chances = self.chances();
        let within = || bounds.low..=bounds.high;
        let total: f64 = within().map(|tricks| chances[usize::from(tricks)]).sum();
        if total <= 0.0 {
            let nearest = self.tricks().round().clamp(0.0, 13.0) as u8;
            return nearest.clamp(bounds.low, bounds.high);
        }
        let mut below = 0.0;
        let reaches = |tricks: &u8| {
            below += chances[usize::from(*tricks)];
            below > share * total
        };
        within().find(reaches).unwrap_or(bounds.high)
    }

    fn tricks(self) -> f64 {
        f64::from(self.hundredths) / 100.0
    }

    /// The chances of 0 to 13 tricks: a bell without tails, (1 - x²)³, which arithmetic alone can draw, so that it is
    /// the same everywhere.
    fn chances(self) -> [f64; 14] {
        let mut chances: [f64; 14] = std::array::from_fn(|tricks| {
            let away = (tricks as f64 - self.tricks()) / (3.0 * self.spread);
            (1.0 - away * away).max(0.0).powi(3)
        });
        let total: f64 = chances.iter().sum();
        chances.iter_mut().for_each(|chance| *chance /= total);
        chances
    }

    /// What a number that depends on the tricks is on average.
    fn expected(self, of: impl Fn(u8) -> f64) -> f64 {
        let chances = self.chances().into_iter().zip(0..);
        chances
            .filter(|&(chance, _)| chance > 0.0)
            .map(|(chance, tricks)| chance * of(tricks))
            .sum()
    }
}

/// Whether two contracts are played by the same hand in the same strain, so that the tricks are the same.
fn same_play(one: &Declared, other: &Declared) -> bool {
    one.contract.strain == other.contract.strain && one.declarer == other.declarer
}

/// The estimates of a side in all strains, and of its opponents.
fn all_estimates(deal: &Deal, side: Side) -> [[i32; 5]; 2] {
    let holdings = estimate::holdings(deal);
    [side, side.opponents()]
        .map(|side| Strain::ALL.map(|strain| estimate::of_holdings(&holdings, side, strain)))
}

/// Controls for the leads against a contract: the estimate for declarer and what it means for score and success, the
/// estimates of both sides in all strains, and for each suit what makes one lead better than another: who holds the
/// honours that the leader does not see, how long partner and declarer are in it, and what the defence can cash.
#[must_use]
pub fn of_leads(deal: &Deal, declared: &Declared, score: impl Fn(u8) -> f64) -> Vec<f64> {
    let strain = declared.contract.strain;
    let estimates = all_estimates(deal, declared.declarer.side());
    let guess = Guess::new(estimates[0][strain.index()], strain);
    let needed = declared.contract.tricks_needed();
    let mut controls = vec![
        guess.expected(score),
        guess.expected(|tricks| f64::from(u8::from(tricks >= needed))),
        guess.expected(|tricks| f64::from(u8::from(tricks > needed))),
    ];
    controls.extend(
        estimates
            .as_flattened()
            .iter()
            .map(|&hundredths| f64::from(hundredths) / 100.0),
    );
    debug_assert_eq!(controls.len(), FEW_OF_LEADS);
    let leader = deal.hand(declared.declarer.next());
    let dummy = deal.hand(declared.declarer.clockwise(2));
    let partner = deal.hand(declared.declarer.clockwise(3));
    let declarer = deal.hand(declared.declarer);
    for suit in Suit::ALL {
        let [mine, dummy, partner, declarer] =
            [leader, dummy, partner, declarer].map(|hand| hand.holding(suit));
        for place in (8..13).rev().filter(|place| mine.0 >> place & 1 == 0) {
            for hand in [partner, declarer] {
                controls.push(f64::from(hand.0 >> place & 1));
            }
        }
        for hand in [partner, declarer] {
            controls.push(hand.len() as f64);
        }
        for hand in [partner, declarer, dummy] {
            controls.push(f64::from(u8::from(hand.len() <= 1)));
        }
        let (ours, theirs) = (mine.0 | partner.0, declarer.0 | dummy.0);
        let above = theirs
            .checked_ilog2()
            .map_or(0x1fff, |best| !((2 << best) - 1) & 0x1fff);
        let tops = (ours & above).count_ones() as usize;
        controls.push(tops.min(mine.len().max(partner.len())) as f64);
        let solid = tops >= declarer.len().max(dummy.len());
        controls.push(if solid {
            mine.len().max(partner.len()) as f64
        } else {
            0.0
        });
    }
    controls
}

/// How many controls a table of tricks has.
pub const OF_TABLES: usize = 30;

/// Controls for the tricks of everybody in every strain: the estimates of both sides, and what they mean for games and
/// slams.
#[must_use]
pub fn of_tables(deal: &Deal) -> Vec<f64> {
    let estimates = all_estimates(deal, Side::NorthSouth);
    let mut controls = Vec::with_capacity(OF_TABLES);
    for side in estimates {
        for (strain, hundredths) in Strain::ALL.into_iter().zip(side) {
            let guess = Guess::new(hundredths, strain);
            let chance = |least: u8| guess.expected(|tricks| f64::from(u8::from(tricks >= least)));
            controls.extend([guess.tricks(), chance(game(strain)), chance(12)]);
        }
    }
    debug_assert_eq!(controls.len(), OF_TABLES);
    controls
}

/// How many controls of contracts are trusted more than the others: the first of them.
#[must_use]
pub fn few_of_contracts(contracts: usize) -> usize {
    2 * contracts + contracts * contracts.saturating_sub(1) / 2 + 10
}

/// Controls for contracts on the same deals: what the estimates mean for score and success of each and for the IMPs
/// between each two, the estimates of both sides in all strains, and the honours and lengths of the four hands.
#[must_use]
pub fn of_contracts(
    deal: &Deal,
    contracts: &[Declared],
    score: impl Fn(usize, u8) -> i32,
) -> Vec<f64> {
    let side = contracts
        .first()
        .map_or(Side::NorthSouth, |first| first.declarer.side());
    let estimates = all_estimates(deal, side);
    let guesses: Vec<Guess> = contracts
        .iter()
        .map(|declared| {
            let strain = declared.contract.strain;
            let whose = usize::from(declared.declarer.side() != side);
            Guess::new(estimates[whose][strain.index()], strain)
        })
        .collect();
    let mut controls = Vec::new();
    for (i, (guess, declared)) in guesses.iter().zip(contracts).enumerate() {
        let needed = declared.contract.tricks_needed();
        controls.push(guess.expected(|tricks| f64::from(score(i, tricks))));
        controls.push(guess.expected(|tricks| f64::from(u8::from(tricks >= needed))));
    }
    for i in 0..contracts.len() {
        for j in 0..i {
            let same = same_play(&contracts[i], &contracts[j]);
            let imps = |ours: i32, theirs: i32| f64::from(scoring::imps(ours - theirs));
            controls.push(guesses[i].expected(|ours| {
                let mine = score(i, ours);
                match same {
                    true => imps(mine, score(j, ours)),
                    false => guesses[j].expected(|theirs| imps(mine, score(j, theirs))),
                }
            }));
        }
    }
    controls.extend(
        estimates
            .as_flattened()
            .iter()
            .map(|&hundredths| f64::from(hundredths) / 100.0),
    );
    debug_assert_eq!(controls.len(), few_of_contracts(contracts.len()));
    let [a, b] = side.seats();
    for suit in Suit::ALL {
        let hands = [a, b, a.next()].map(|seat| deal.hand(seat).holding(suit));
        for hand in hands {
            controls.push(hand.len() as f64);
            controls.extend((9..13).map(|place| f64::from(hand.0 >> place & 1)));
        }
    }
    controls
}
