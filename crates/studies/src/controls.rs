//! Control variates: numbers that are computed from a deal without a search and are correlated with its result.

use cards::{Deal, Hand, Side, Strain, Suit, scoring};
use solver::estimate;

use crate::tables::tricks_for_game;
use crate::trick_estimate::TrickEstimate;
use formats::DeclaredContract;

/// Number of lead controls with the smaller penalty in regressions: the first ones.
pub const PREFERRED_LEAD_CONTROLS: usize = 13;

/// Number of controls of a trick table.
pub const TRICK_TABLE_CONTROLS: usize = 30;

/// Returns whether the two contracts have the same declarer and strain, and so the same tricks.
fn is_same_play(one: &DeclaredContract, other: &DeclaredContract) -> bool {
    one.contract.strain == other.contract.strain && one.declarer == other.declarer
}

/// Returns the estimated tricks of `side` and of its opponents in all strains, in hundredths.
fn all_estimates(deal: &Deal, side: Side) -> [[i32; 5]; 2] {
    let holdings = estimate::holdings(deal);
    [side, side.opponents()]
        .map(|side| Strain::ALL.map(|strain| estimate::estimate_holdings(&holdings, side, strain)))
}

fn in_tricks(estimates: &[[i32; 5]; 2]) -> impl Iterator<Item = f64> {
    estimates
        .as_flattened()
        .iter()
        .map(|&hundredths| f64::from(hundredths) / 100.0)
}

/// Returns the controls of the leads against `declared`: expected score and success of declarer, the estimates of both
/// sides in all strains, and the [suit controls](push_suit_controls) of each suit.
#[must_use]
pub fn lead_controls(
    deal: &Deal,
    declared: &DeclaredContract,
    score: impl Fn(u8) -> f64,
) -> Vec<f64> {
    let strain = declared.contract.strain;
    let estimates = all_estimates(deal, declared.declarer.side());
    let tricks = TrickEstimate::new(estimates[0][strain.index()], strain);
    let needed = declared.contract.tricks_needed();
    let mut controls = vec![
        tricks.mean_of(score),
        tricks.at_least(needed),
        tricks.at_least(needed + 1),
    ];
    controls.extend(in_tricks(&estimates));
    debug_assert_eq!(controls.len(), PREFERRED_LEAD_CONTROLS);
    let leader = deal.hand(declared.declarer.next());
    let dummy = deal.hand(declared.declarer.clockwise(2));
    let partner = deal.hand(declared.declarer.clockwise(3));
    let declarer = deal.hand(declared.declarer);
    for suit in Suit::ALL {
        push_suit_controls(&mut controls, suit, [leader, dummy, partner, declarer]);
    }
    controls
}

/// Adds the controls of one suit that make one lead better than another: the holder of each honour that the leader does
/// not hold, lengths and shortness of the other hands, and the tricks that the defence can cash.
fn push_suit_controls(controls: &mut Vec<f64>, suit: Suit, hands: [Hand; 4]) {
    let [leader, dummy, partner, declarer] = hands.map(|hand| hand.holding(suit));
    for rank in (8..13).rev().filter(|rank| leader.0 >> rank & 1 == 0) {
        for hand in [partner, declarer] {
            controls.push(f64::from(hand.0 >> rank & 1));
        }
    }
    for hand in [partner, declarer] {
        controls.push(hand.len() as f64);
    }
    for hand in [partner, declarer, dummy] {
        controls.push(f64::from(u8::from(hand.len() <= 1)));
    }
    let (ours, theirs) = (leader.0 | partner.0, declarer.0 | dummy.0);
    let above = theirs
        .checked_ilog2()
        .map_or(0x1fff, |best| !((2 << best) - 1) & 0x1fff);
    let top_cards = (ours & above).count_ones() as usize;
    let longest = leader.len().max(partner.len());
    controls.push(top_cards.min(longest) as f64);
    let is_solid = top_cards >= declarer.len().max(dummy.len());
    controls.push(if is_solid { longest as f64 } else { 0.0 });
}

/// Returns the controls of a trick table: for both sides and every strain the estimate and the probabilities of game and
/// slam.
#[must_use]
pub fn trick_table_controls(deal: &Deal) -> Vec<f64> {
    let estimates = all_estimates(deal, Side::NorthSouth);
    let mut controls = Vec::with_capacity(TRICK_TABLE_CONTROLS);
    for side in estimates {
        for (strain, hundredths) in Strain::ALL.into_iter().zip(side) {
            let tricks = TrickEstimate::new(hundredths, strain);
            let game = tricks.at_least(tricks_for_game(strain));
            controls.extend([tricks.tricks(), game, tricks.at_least(12)]);
        }
    }
    debug_assert_eq!(controls.len(), TRICK_TABLE_CONTROLS);
    controls
}

/// Returns the number of controls of `contracts` contracts with the smaller penalty in regressions: the first ones.
#[must_use]
pub fn preferred_contract_controls(contracts: usize) -> usize {
    2 * contracts + contracts * contracts.saturating_sub(1) / 2 + 10
}

/// Returns the controls of several contracts on one deal: expected score and success of each, expected IMPs of each pair,
/// the estimates of both sides in all strains, and honours and lengths of three hands.
#[must_use]
pub fn contract_controls(
    deal: &Deal,
    contracts: &[DeclaredContract],
    side: Side,
    score: impl Fn(usize, u8) -> i32,
) -> Vec<f64> {
    let estimates = all_estimates(deal, side);
    let tricks: Vec<TrickEstimate> = contracts
        .iter()
        .map(|declared| {
            let strain = declared.contract.strain;
            let row = usize::from(declared.declarer.side() != side);
            TrickEstimate::new(estimates[row][strain.index()], strain)
        })
        .collect();
    let mut controls = Vec::new();
    for (i, (tricks, declared)) in tricks.iter().zip(contracts).enumerate() {
        controls.push(tricks.mean_of(|tricks| f64::from(score(i, tricks))));
        controls.push(tricks.at_least(declared.contract.tricks_needed()));
    }
    let imps = |ours: i32, theirs: i32| f64::from(scoring::imps(ours - theirs));
    for i in 0..contracts.len() {
        for j in 0..i {
            let is_same = is_same_play(&contracts[i], &contracts[j]);
            controls.push(tricks[i].mean_of(|ours| {
                let mine = score(i, ours);
                match is_same {
                    true => imps(mine, score(j, ours)),
                    false => tricks[j].mean_of(|theirs| imps(mine, score(j, theirs))),
                }
            }));
        }
    }
    controls.extend(in_tricks(&estimates));
    debug_assert_eq!(controls.len(), preferred_contract_controls(contracts.len()));
    let [first, second] = side.seats();
    for suit in Suit::ALL {
        let holdings = [first, second, first.next()].map(|seat| deal.hand(seat).holding(suit));
        for holding in holdings {
            controls.push(holding.len() as f64);
            controls.extend((9..13).map(|rank| f64::from(holding.0 >> rank & 1)));
        }
    }
    controls
}
